// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"

#include "compared.h"

namespace cutaway::test {
namespace {

struct Row {
    std::string name, before, after, difference;
};
void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }
std::string rowName(const ::testing::TestParamInfo<Row> &row) { return row.param.name; }

/// Weights that both graphs of a row may read; their bytes are told apart.
const std::string weights = R"(model "m"
storage 0: 4 bytes data "\x00\x00\x80\x3f"
storage 1: 4 bytes data "\x00\x00\x00\x40"
storage 2: 1024 bytes missing "a test"
tensor @one: float32[1] parameter in storage 0
tensor @two: float32[1] parameter in storage 1
tensor @w: float32[4, 4] parameter in storage 2
tensor @b: float32[4] parameter in storage 2
tensor @k: float32[4, 4, 1, 1] parameter in storage 2
graph @forward)";

std::string compared(const Row &row, const diff::Options &options = {})
{
    const Analysed a(parsed(weights + row.before)), b(parsed(weights + row.after));
    if (a.model.functions.empty() || b.model.functions.empty())
        return "no graph";
    const diff::Side sideA = a.side(), sideB = b.side();
    return print(diff::compare(sideA, sideB, options), sideA.graph(), sideB.graph());
}

class Compare : public ::testing::TestWithParam<Row> { };

TEST_P(Compare, tellsWhatDiffers) { EXPECT_EQ(compared(GetParam()), GetParam().difference); }

TEST_P(Compare, needsNoNames) { EXPECT_EQ(compared(GetParam(), {.useNames = false}), GetParam().difference); }

TEST_P(Compare, nothingDiffersFromItself)
{
    Row same = GetParam();
    same.after = same.before;
    EXPECT_EQ(compared(same), "");
}

INSTANTIATE_TEST_SUITE_P(
    Same, Compare,
    ::testing::Values(
        Row{"whateverItIsCalled", "(%x: float32[2]) { %a = aten::relu(self=%x) return %a }",
            "(%y: float32[2]) { %b = aten::relu(self=%y) return %b }", ""},
        Row{"inAnyOrderThatRuns",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) %c = aten::add(self=%a, other=%b) "
            "return %c }",
            "(%x: float32[2]) { %b = aten::exp(self=%x) %a = aten::sin(self=%x) %c = aten::add(self=%a, other=%b) "
            "return %c }",
            ""},
        Row{"withItsDefaultsSpelled", "(%x: float32[2]) { %a = aten::softmax.int(self=%x, dim=0) return %a }",
            "(%x: float32[2]) { %a = aten::softmax.int(self=%x, dim=0, dtype=none) return %a }", ""}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Changed, Compare,
    ::testing::Values(
        Row{"anOperator",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::relu(self=%a) %c = aten::exp(self=%b) return %c }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::silu(self=%a) %c = aten::exp(self=%b) return %c }",
            "~ b: operator aten::relu -> aten::silu\n"},
        Row{"anArgument", "(%x: float32[2, 3]) { %a = aten::softmax.int(self=%x, dim=0) return %a }",
            "(%x: float32[2, 3]) { %a = aten::softmax.int(self=%x, dim=1) return %a }", "~ a: dim 0 -> 1\n"},
        Row{"anArgumentThatHasADefault", "(%x: float32[2, 3]) { %a = aten::elu(self=%x) return %a }",
            "(%x: float32[2, 3]) { %a = aten::elu(self=%x, alpha=2) return %a }", "~ a: alpha 1 -> 2\n"},
        Row{"whatIsRead",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) %c = aten::mul(self=%a, other=%b) "
            "return %c }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) %c = aten::mul(self=%a, other=%a) "
            "return %c }",
            "~ c: other %b -> %a\n"},
        Row{"theOrderOfOperands",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) %c = aten::sub(self=%a, other=%b) "
            "return %c }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) %c = aten::sub(self=%b, other=%a) "
            "return %c }",
            "~ c: self %a -> %b\n~ c: other %b -> %a\n"},
        Row{"whatIsReturned", "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %a }",
            "~ signature: output 0 %b -> %a\n"},
        Row{"theElementsOfAWeight",
            "(%x: float32[2]) { weight %p: float32[1] = @one %a = aten::mul(self=%x, other=%p) return %a }",
            "(%x: float32[2]) { weight %p: float32[1] = @two %a = aten::mul(self=%x, other=%p) return %a }",
            "~ a: other float32[1] -> float32[1] with other values\n"},
        Row{"anInputsType", "(%x: float32[2, 3]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
            "(%x: float32[4, 3]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
            "~ signature: input 0 float32[2, 3] -> float32[4, 3]\n"},
        Row{"onlyWhereShapesBeginToDiffer",
            "(%x: float32[4, 6]) { %a = aten::view(self=%x, size=[24]) %b = aten::sin(self=%a) return %b }",
            "(%x: float32[4, 6]) { %a = aten::view(self=%x, size=[8, 3]) %b = aten::sin(self=%a) return %b }",
            "~ a: size [24] -> [8, 3]\n"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    AddedAndRemoved, Compare,
    ::testing::Values(
        Row{"oneInAChain",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::relu(self=%a) %c = aten::exp(self=%b) return %c }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %c = aten::exp(self=%a) return %c }", "- b\n"},
        Row{"oneBeforeTheEnd", "(%x: float32[2]) { %a = aten::sin(self=%x) return %a }",
            "(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::relu(self=%a) return %b }", "+ b\n"},
        Row{"aView", "(%x: float32[2, 3]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
            "(%x: float32[2, 3]) { %a = aten::sin(self=%x) %t = aten::t(self=%a) %b = aten::exp(self=%t) return %b }",
            "+ t\n"},
        Row{"somethingInABranch",
            R"((%x: float32[2], %c: bool) { %r = prim::If(cond=%c)
                region "then" { %a = aten::sin(self=%x) return %a }
                region "else" { %b = aten::exp(self=%x) return %b }
                return %r })",
            R"((%x: float32[2], %c: bool) { %r = prim::If(cond=%c)
                region "then" { %a = aten::sin(self=%x) %n = aten::neg(self=%a) return %n }
                region "else" { %b = aten::exp(self=%x) return %b }
                return %r })",
            "+ n\n"}),
    rowName);

const std::string linear = R"((%x: float32[2, 4]) {
    weight %w: float32[4, 4] = @w
    weight %b: float32[4] = @b
    %y = aten::linear(input=%x, weight=%w, bias=%b)
    %r = aten::relu(self=%y)
    return %r })";

/// How two dialects say the same.
INSTANTIATE_TEST_SUITE_P(
    Dialects, Compare,
    ::testing::Values(Row{"aLinearLayerIsAProductAndASum", linear, R"((%x: float32[2, 4]) {
            weight %w: float32[4, 4] = @w
            weight %b: float32[4] = @b
            %t = onnx::Transpose(%w, perm=[1, 0])
            %m = onnx::MatMul(%x, %t)
            %s = onnx::Add(%b, %m)
            %r = onnx::Relu(%s)
            return %r })",
                          "{y} = {m s}\n"},
                      Row{"aLinearLayerIsAGemm", linear, R"((%x: float32[2, 4]) {
            weight %w: float32[4, 4] = @w
            weight %b: float32[4] = @b
            %m = onnx::Gemm(%x, %w, %b, transB=1)
            %r = onnx::Relu(%m)
            return %r })",
                          ""},
                      Row{"aBatchNormIsFolded", R"((%x: float32[1, 4, 8, 8]) {
            weight %k: float32[4, 4, 1, 1] = @k
            weight %b: float32[4] = @b
            %c = aten::conv2d(input=%x, weight=%k, bias=none, stride=[2, 2])
            %n = aten::batch_norm(input=%c, weight=%b, bias=%b, running_mean=%b, running_var=%b, training=false,
                momentum=0.1, eps=1e-05, cudnn_enabled=true)
            %r = aten::relu_(self=%n)
            return %r })",
                          R"((%x: float32[1, 4, 8, 8]) {
            weight %k: float32[4, 4, 1, 1] = @k
            weight %b: float32[4] = @b
            %c = onnx::Conv(%x, %k, %b, strides=[2, 2], pads=[0, 0, 0, 0])
            %r = onnx::Relu(%c)
            return %r })",
                          "{c n} = {c}\n"},
                      Row{"AStrideDiffers", R"((%x: float32[1, 4, 8, 8]) {
            weight %k: float32[4, 4, 1, 1] = @k
            %c = aten::conv2d(input=%x, weight=%k, bias=none, stride=[2, 2])
            return %c })",
                          R"((%x: float32[1, 4, 8, 8]) {
            weight %k: float32[4, 4, 1, 1] = @k
            %c = onnx::Conv(%x, %k, strides=[1, 1])
            return %c })",
                          "~ c: stride [2, 2] -> [1, 1]\n"},
                      Row{"attentionIsItsProducts",
                          R"((%q: float32[1, 2, 8, 4], %k: float32[1, 2, 8, 4], %v: float32[1, 2, 8, 4]) {
            %a = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v)
            %r = aten::relu(self=%a)
            return %r })",
                          R"((%q: float32[1, 2, 8, 4], %k: float32[1, 2, 8, 4], %v: float32[1, 2, 8, 4]) {
            %t = onnx::Transpose(%k, perm=[0, 1, 3, 2])
            %m = onnx::MatMul(%q, %t)
            %d = onnx::Div(%m, %m)
            %s = onnx::Softmax(%d, axis=-1)
            %o = onnx::MatMul(%s, %v)
            %r = onnx::Relu(%o)
            return %r })",
                          "{a} = {m d s o}\n"}),
    rowName);

TEST(Compare, takesAssumedSizesForNoDifference)
{
    const std::string body = " { %a = aten::relu(self=%x) return %a }";
    ir::Model open = parsed("graph @forward(%x: float32[x_0, 2])" + body);
    const Analysed fixed(parsed("graph @forward(%x: float32[3, 2])" + body)), told(open);
    const diff::Side a = fixed.side(), b = told.side();
    EXPECT_EQ(print(diff::compare(a, b), a.graph(), b.graph()),
              "~ signature: input 0 float32[3, 2] -> float32[x_0, 2]\n");
    open.diagnose(ir::Severity::Info, std::string(analysis::assumedInput), "a test");
    const Analysed assumed(open);
    const diff::Side c = assumed.side();
    EXPECT_EQ(print(diff::compare(a, c), a.graph(), c.graph()), "");
}

TEST(Compare, foldsUpTheModules)
{
    const std::string graph = R"((%x: float32[2]) {
        %a = aten::sin(self=%x) in layer1.0 %b = aten::relu(self=%a) in layer1.1 %c = aten::exp(self=%b) in head
        return %c })";
    std::string other = graph;
    other.replace(other.find("relu"), 4, "silu");
    other.replace(other.find("exp"), 3, "sin");
    const Analysed a(parsed(weights + graph)), b(parsed(weights + other));
    const diff::Side sideA = a.side(), sideB = b.side();
    const std::vector<diff::ModuleChanges> expected{
        {"", 2, 0, 0}, {"head", 1, 0, 0}, {"layer1", 1, 0, 0}, {"layer1.1", 1, 0, 0}};
    EXPECT_EQ(diff::compare(sideA, sideB).modules, expected);
}

} // namespace
} // namespace cutaway::test
