// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

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
