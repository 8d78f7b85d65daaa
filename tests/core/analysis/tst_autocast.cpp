// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

struct AutocastRow {
    std::string name;
    std::string arguments; ///< of wrap_with_autocast: device, dtype, enabled
    std::string body;
    std::string results;
    std::string device = "cpu"; ///< of the input
};

class Autocast : public ::testing::TestWithParam<AutocastRow> { };

TEST_P(Autocast, choosesTheDTypesInARegion)
{
    EXPECT_EQ(inferred("(%x: float32[2, 2] on \"" + GetParam().device
                       + "\", %d: float64[2, 2], %i: int64[2, 2]) { "
                         "%r = higher_order::wrap_with_autocast("
                       + GetParam().arguments
                       + ", none, %x, %d, %i) region \"r\" (%a: tensor[*], %b: tensor[*], "
                         "%c: tensor[*]) { "
                       + GetParam().body + " return %y } return %r }"),
              GetParam().results);
}

constexpr auto rowOf = [](const ::testing::TestParamInfo<AutocastRow> &row) { return row.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Rows, Autocast,
    ::testing::Values(
        AutocastRow{"products", R"("cpu", none, true)", "%y = aten::mm(self=%a, mat2=%a)", "bfloat16[2, 2]"},
        AutocastRow{"theDTypeGiven", R"("cpu", float16, true)", "%y = aten::mm(self=%a, mat2=%a)", "float16[2, 2]"},
        AutocastRow{"cudasOwnDType", R"("cuda", none, true)", "%y = aten::mm(self=%a, mat2=%a)", "float16[2, 2]",
                    "cuda"},
        AutocastRow{"switchedOff", R"("cpu", bfloat16, false)", "%y = aten::mm(self=%a, mat2=%a)", "float32[2, 2]"},
        AutocastRow{"anotherDevice", R"("cuda", none, true)", "%y = aten::mm(self=%a, mat2=%a)", "float32[2, 2]"},
        AutocastRow{"doublesStay", R"("cpu", none, true)", "%y = aten::mm(self=%b, mat2=%b)", "float64[2, 2]"},
        AutocastRow{"integersStay", R"("cuda", none, true)", "%y = aten::sum(self=%c)", "int64[]", "cuda"},
        AutocastRow{"othersTakeWhatTheyGet", R"("cpu", none, true)",
                    "%h = aten::mm(self=%a, mat2=%a) %y = aten::relu(self=%h)", "bfloat16[2, 2]"},
        AutocastRow{"backToFloat32", R"("cpu", none, true)", "%h = aten::mm(self=%a, mat2=%a) %y = aten::prod(self=%h)",
                    "float32[]"},
        AutocastRow{"reductionsOnCuda", R"("cuda", none, true)",
                    "%h = aten::mm(self=%a, mat2=%a) %y = aten::softmax.int(self=%h, dim=0)", "float32[2, 2]", "cuda"},
        AutocastRow{"aDTypeAskedFor", R"("cuda", none, true)",
                    "%h = aten::mm(self=%a, mat2=%a) %y = aten::softmax.int(self=%h, dim=0, dtype=float16)",
                    "float16[2, 2]", "cuda"},
        AutocastRow{"theWidestOfSeveral", R"("cpu", none, true)",
                    "%h = aten::mm(self=%a, mat2=%a) %y = aten::cat(tensors=[%h, %a])", "float32[4, 2]"},
        AutocastRow{"inPlaceIsLeftAlone", R"("cpu", none, true)", "%y = aten::addmm_(self=%a, mat1=%a, mat2=%a)",
                    "float32[2, 2]"},
        AutocastRow{"aRegionInside", R"("cpu", none, true)",
                    R"(%y = higher_order::wrap_with_autocast("cpu", none, false, none, %a)
                       region "in" (%e: tensor[*]) { %f = aten::mm(self=%e, mat2=%e) return %f })",
                    "float32[2, 2]"}),
    rowOf);

TEST(Autocast, isEnteredAndLeftByItsObject)
{
    EXPECT_EQ(inferred(R"((%x: tensor[*], %w: float32[2, 2]) {
      %o: object "__torch__.torch.amp.autocast_mode.autocast" = prim::CreateObject()
      prim::SetAttr(self=%o, name="_enabled", value=true)
      prim::SetAttr(self=%o, name="device", value="cpu")
      prim::SetAttr(self=%o, name="fast_dtype", value=15)
      %e: object "__torch__.torch.amp.autocast_mode.autocast" = prim::Enter(%o)
      %a = aten::mm(self=%w, mat2=%w)
      prim::Exit(%o)
      %b = aten::mm(self=%w, mat2=%w)
      return %a, %b })"),
              "bfloat16[2, 2]; float32[2, 2]");
}

} // namespace
} // namespace cutaway::test
