// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/passes/part.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// The part of some nodes that gives these values, as text.
std::string partText(const std::string &text, std::vector<std::uint32_t> nodes, std::vector<std::uint32_t> results,
                     passes::PartWeights weights = passes::PartWeights::Kept)
{
    const ir::Model model = parsed(text);
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    std::vector<ir::NodeId> ids;
    for (const std::uint32_t node : nodes)
        ids.push_back({node});
    std::vector<ir::ValueId> values;
    for (const std::uint32_t node : results)
        values.push_back(model.functions.front().graph.at(ir::NodeId{node}).outputs.front());
    const auto part = passes::partOf(model, ir::FunctionId{0}, ids, values, shapes, weights);
    return part ? ir::printText(part->model, ir::FunctionId{0}, ir::TextForm::Reading) : part.error().message;
}

const std::string withAWeight = "tensor @w: float32[2] parameter\n"
                                "graph @forward(%x: float32[2]) {\n"
                                "  weight %w = @w\n"
                                "  %a = aten::relu(self=%x)\n"
                                "  %b = aten::mul.Tensor(self=%a, other=%w)\n"
                                "  %c = aten::neg(self=%b)\n"
                                "  return %c\n}";

TEST(Part, hasWhatItReadsAsInputs)
{
    const std::string text = partText(withAWeight, {1, 2}, {2});
    EXPECT_TRUE(text.contains("@forward(%a: float32[2])")) << text;
    EXPECT_TRUE(text.contains("weight %w")) << text;
    EXPECT_TRUE(text.contains("%c: float32[2] = aten::neg(self=%b)")) << text;
    EXPECT_FALSE(text.contains("aten::relu")) << text;
}

TEST(Part, mayHaveWeightsAsInputs)
{
    const std::string text = partText(withAWeight, {1}, {1}, passes::PartWeights::Inputs);
    EXPECT_TRUE(text.contains("(%a: float32[2], %w: float32[2])")) << text;
    EXPECT_FALSE(text.contains("weight")) << text;
}

TEST(Part, hasNoRegions)
{
    const std::string text = partText("graph @forward(%c: bool[], %x: float32[2]) {\n"
                                      "  %r = onnx::If(%c)\n"
                                      "    region { return %x }\n"
                                      "    region { return %x }\n"
                                      "  return %r\n}",
                                      {0}, {0});
    EXPECT_TRUE(text.ends_with("has regions")) << text;
}

} // namespace
} // namespace cutaway::test
