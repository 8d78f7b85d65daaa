// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

const std::string modules = R"(file "net.pt"
storage 0: 64 bytes in file 0 at 0 length 64
tensor @a.w: float32[4, 3] parameter in storage 0
tensor @q.packed.weight: qint8[5, 3] in storage 0
tensor @c.w: qint8[8, 3, 3, 3] in storage 0
module 0 "" class "Net" attributes(scale: float = 2.0, sizes: tuple<int, int> = (2, 6), count: tensor[*] = @a.w)
module 1 in 0 "a" class "Block" tensors(@a.w)
module 2 in 0 "q" class "Packed" tensors(@q.packed.weight) attributes(packed: opaque "Params" = object @q.packed, q.packed.bias: none = none)
module 3 in 0 "c" class "Conv" tensors(@c.w) attributes(stride: tuple<int, int> = (2, 2), padding: tuple<int, int> = (1, 1), transposed: bool = false, packed: opaque "Params" = object @c.packed)
object @q.packed class "torch.classes.quantized.LinearPackedParamsBase" member "data.pkl"
object @c.packed class "torch.classes.quantized.Conv2dPackedParamsBase" member "data.pkl"
)";

const std::string methods = R"(
method @__torch__.Block.forward(custom_object %self: module "__torch__.Block", %x: tensor[*]) {
  %w: tensor[*] = prim::GetAttr(self=%self, name="w")
  %r: tensor[*] = aten::linear(input=%x, weight=%w)
  return %r
}
method @__torch__.Block.count(custom_object %self: module "__torch__.Block") {
  prim::SetAttr(self=%self, name="calls", value=7)
  return none
}
)";

class Objects : public ::testing::TestWithParam<RuleRow> { };

TEST_P(Objects, holdWhatTheFileHasOrCodeSets)
{
    EXPECT_EQ(inferred("(%x: float32[2, 3], %im: quint8[1, 3, 8, 8], %c: bool, "
                       "custom_object %self: module \"__torch__.Net\") {"
                           + GetParam().graph + "}" + methods,
                       modules),
              GetParam().results);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Objects,
    ::testing::Values(RuleRow{"aConstant", R"(%s = prim::GetAttr(self=%self, name="sizes") return %s)", "(2, 6)"},
                      RuleRow{"aTensorOfAModuleInside", R"(%w = prim::GetAttr(self=%self, name="a.w") return %w)",
                              "float32[4, 3]"},
                      RuleRow{"aTensorThatIsListedElsewhere",
                              R"(%w = prim::GetAttr(self=%self, name="count") return %w)", "float32[4, 3]"},
                      RuleRow{"aModuleThatAMethodIsCalledOf",
                              R"(%a: interface "__torch__.Any" = prim::GetAttr(self=%self, name="a")
                %r: tensor[*] = prim::CallMethod(method="forward", self=%a, %x) return %r)",
                              "float32[2, 4]"},
                      RuleRow{"whatIsNotThere", R"(%w: tensor[*] = prim::GetAttr(self=%self, name="a.v") return %w)",
                              "!what the attribute holds is not known unknown"},
                      RuleRow{"whatIsSet",
                              R"(prim::SetAttr(self=%self, name="scale", value=%x)
                %s = prim::GetAttr(self=%self, name="scale") return %s)",
                              "float32[2, 3]"},
                      RuleRow{"whatACalledMethodSets",
                              R"(%a: module "__torch__.Block" = prim::GetAttr(self=%self, name="a")
                %n: none = prim::CallMethod(method="count", function=graph @__torch__.Block.count, self=%a)
                %s: int = prim::GetAttr(self=%self, name="a.calls") return %s)",
                              "7"},
                      RuleRow{"whatMayBeSet",
                              R"(prim::If(cond=%c)
                  region "then" { prim::SetAttr(self=%self, name="scale", value=3.0) return none }
                  region "else" { return none }
                %s: float = prim::GetAttr(self=%self, name="scale") return %s)",
                              "float"},
                      RuleRow{"anObjectMadeWhereCodeMayRun",
                              R"(%r = prim::If(cond=%c)
                  region "then" {
                    %o: object "Acc" = prim::CreateObject()
                    prim::SetAttr(self=%o, name="s", value=%x)
                    %s: tensor[*] = prim::GetAttr(self=%o, name="s")
                    return %s
                  }
                  region "else" { return %x }
                return %r)",
                              "float32[2, 3]"},
                      RuleRow{"packedWeightsByTheirOwnState",
                              R"(%p: opaque "Params" = prim::GetAttr(self=%self, name="q.packed")
                %r: tensor[*] = quantized::linear_dynamic(X=%x, W_prepack=%p) return %r)",
                              "float32[2, 5]"},
                      RuleRow{"packedWeightsByTheirModulesState",
                              R"(%p: opaque "Params" = prim::GetAttr(self=%self, name="c.packed")
                %r: tensor[*] = quantized::conv2d.new(%im, %p, 0.1, 0) return %r)",
                              "quint8[1, 8, 4, 4]"}),
    rowName);

TEST(Objects, aLoopEndsWhenWhatItSetsChangesNoMore)
{
    EXPECT_EQ(inferred(R"((%n: int, %x: float32[2, 3], custom_object %self: module "__torch__.Net") {
        prim::Loop(trip_count=%n, cond=true)
          region "body" (%i: int) {
            %s: tensor[*] = prim::GetAttr(self=%self, name="scale")
            %t: tensor[*] = aten::cat(tensors=[%s, %x])
            prim::SetAttr(self=%self, name="scale", value=%t)
            return true
          }
        %r: tensor[*] = prim::GetAttr(self=%self, name="scale")
        return %r })",
                       R"(module 0 "" class "Net" attributes(scale: tensor[*] = @w)
file "net.pt"
storage 0: 64 bytes in file 0 at 0 length 64
tensor @w: float32[4, 3] parameter in storage 0
)"),
              "float32[?, 3]");
}

} // namespace
} // namespace cutaway::test
