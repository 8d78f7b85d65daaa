// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class FoldConstants : public ::testing::TestWithParam<PassRow> { };

TEST_P(FoldConstants, computesWhatFollowsFromTheFile) { expectRow("constant-folding", GetParam()); }

PassRow stays(std::string name, std::string graph, std::string header = "")
{
    return {std::move(name), std::move(graph), "", "", std::move(header)};
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, FoldConstants,
    ::testing::Values(
        PassRow{"aSizeBecomesANumber",
                "(%x: float32[2, 6]) { %n = aten::size.int(self=%x, dim=1) %h = aten::floordiv.int(a=%n, b=2) %r = "
                "aten::view(self=%x, size=[-1, %h]) return %r }",
                "(%x: float32[2, 6]) { %r = aten::view(self=%x, size=[-1, 3]) return %r }"},
        PassRow{"aListOfSizes",
                "(%x: float32[2, 6]) { %s = aten::size(self=%x) %r = aten::zeros_like(self=%x) %q = "
                "aten::expand(self=%r, size=%s) return %q }",
                "(%x: float32[2, 6]) { %r = aten::zeros_like(self=%x) %q = aten::expand(self=%r, size=[2, 6]) "
                "return %q }"},
        PassRow{"aConditionOfSizes",
                "(%x: float32[2]) { %n = aten::size.int(self=%x, dim=0) %c = aten::gt.int(a=%n, b=1) %r = prim::If(%c) "
                "region { return %x } region { %y = aten::neg(self=%x) return %y } return %r }",
                "(%x: float32[2]) { %r = prim::If(true) region { return %x } region { %y = aten::neg(self=%x) "
                "return %y } return %r }"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Stays, FoldConstants,
    ::testing::Values(
        stays("aSizeThatIsASymbol",
              "(%x: float32[s0, 6]) { %n = aten::size.int(self=%x, dim=0) %r = aten::view(self=%x, size=[%n, -1]) "
              "return %r }"),
        stays("aSizeThatIsReturned", "(%x: float32[2, 6]) { %n = aten::size.int(self=%x, dim=0) return %n }"),
        stays("aSizeInALoop", R"((%x: float32[2]) {
                 %r = prim::Loop(3, true, %x)
                   region "body" (%i: int, %s) {
                     %n = aten::size.int(self=%s, dim=0) %t = aten::mul.Scalar(self=%s, other=%n)
                     return true, %t
                   }
                 return %r })"),
        stays("chance",
              "(%x: float32[2]) { %a = aten::rand(size=[2]) %r = aten::add.Tensor(self=%x, other=%a) return %r }"),
        stays("whatIsWrittenTo",
              "(%x: float32[2]) { %a = aten::zeros(size=[2]) %b = aten::add_.Tensor(self=%a, other=%x) %r = "
              "aten::mul.Tensor(self=%a, other=%x) return %r }"),
        stays(
            "largeTensors",
            "(%x: float32[2000]) { %a = aten::zeros(size=[2000]) %r = aten::add.Tensor(self=%x, other=%a) return %r }"),
        stays("tensorsOnAnotherDevice",
              "(%x: float32[2]) { %a = aten::zeros(size=[2], device=device(\"cuda:0\")) %r = aten::add.Tensor(self=%x, "
              "other=%a) return %r }"),
        stays("parametersThatAreLearnt",
              "(%x: float32[1]) { weight %w: float32[1] = @w %a = aten::neg(self=%w) %r = aten::add.Tensor(self=%x, "
              "other=%a) return %r }",
              "storage 0: 4 bytes data \"\\x00\\x00\\x80\\x3f\" tensor @w: float32[1] parameter in storage 0 grad\n"),
        stays("sizesOfWhatIsOnlyAssumed",
              "(%x: float32[2, 6]) { %n = aten::size.int(self=%x, dim=1) %r = aten::view(self=%x, size=[%n, -1]) "
              "return %r }",
              "diagnostic info \"input.assumed\" \"taken as its reader needs it\"\n"),
        stays("whatRuntimesRoundInTheirOwnWay",
              "(%x: float32[2]) { weight %w: float32[2] = @w %b = aten::exp(self=%w) %r = aten::add.Tensor(self=%x, "
              "other=%b) return %r }",
              "storage 0: 8 bytes data \"\\x00\\x00\\x80\\x3f\\x00\\x00\\x00\\x40\" tensor @w: float32[2] in storage "
              "0\n"),
        stays("unknownOperators",
              "(%x: float32[2]) { %a = mine::op(1, 2) %r = aten::add.Tensor(self=%x, other=%a) return %r }")),
    rowName);

/// The tensor that the only node left reads beside the input.
std::string constantOf(const std::string &graph, const std::string &header = "", const std::string &options = "")
{
    const auto model = parsedModel(graph, header);
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes::parsePipeline("constant-folding" + options));
    const auto after = history.modelAfter(history.steps().size());
    const ir::Graph &main = after->functions.front().graph;
    const auto &nodes = main.at(ir::Graph::body).nodes;
    if (nodes.size() != 1)
        return printed(*after);
    const auto *value = main.at(nodes.front()).arguments[1].value.as<ir::ValueId>();
    const auto *weight = value ? std::get_if<ir::Weight>(&main.at(*value).definition) : nullptr;
    if (!weight)
        return printed(*after);
    const ir::Tensor &tensor = after->at(weight->tensor);
    std::string text = std::string(name(tensor.dtype)) + ir::print(ir::Shape(tensor.shape.begin(), tensor.shape.end()));
    std::visit(
        [&](const auto &list) {
            for (const auto x : list)
                text += formatted(" {}", x);
        },
        *ir::numbersOf(*after, weight->tensor));
    return text;
}

TEST(FoldedTensors, areOfTheEvaluatorsNumbers)
{
    EXPECT_EQ(constantOf("(%x: float32[2]) { %a = aten::full(size=[2], fill_value=1.5, dtype=float32) %b = "
                         "aten::mul.Scalar(self=%a, other=2) %r = aten::add.Tensor(self=%x, other=%b) return %r }"),
              "float32[2] 3 3");
}

TEST(FoldedTensors, areSizesOfOnnx)
{
    EXPECT_EQ(
        constantOf("(%x: float32[2, 6]) { %s = onnx::Shape(%x) %t = onnx::Mul(%s, @two) %r = onnx::Expand(%x, %t) "
                   "return %r }",
                   "storage 0: 8 bytes data \"\\x02\\x00\\x00\\x00\\x00\\x00\\x00\\x00\" tensor @two: int64[] in "
                   "storage 0\n"),
        "int64[2] 4 12");
}

TEST(FoldedTensors, areAsLargeAsTheOptionSays)
{
    const std::string graph = "(%x: float32[8]) { %a = aten::ones(size=[8]) %r = aten::add.Tensor(self=%x, other=%a) "
                              "return %r }";
    EXPECT_EQ(constantOf(graph, "", "{elements=8}"), "float32[8] 1 1 1 1 1 1 1 1");
    EXPECT_TRUE(constantOf(graph, "", "{elements=7}").contains("aten::ones"));
}

} // namespace
} // namespace cutaway::test
