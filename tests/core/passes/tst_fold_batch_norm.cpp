// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

TEST(FoldBatchNormOrigins, areTheLayerAndTheNormalization)
{
    auto model = std::make_shared<ir::Model>(modelOf(R"((%x: float32[1, 1, 4]) {
          weight %w: float32[4, 1, 2] = @w
          weight %s: float32[4] = @s
          %c = onnx::Conv(%x, %w)
          %r = onnx::BatchNormalization(%c, %s, %s, %s, %s, epsilon=0.001)
          return %r
        })",
                                                     "tensor @w: float32[4, 1, 2] tensor @s: float32[4]\n"));
    std::mt19937 random(1);
    fillTensors(*model, random);
    const auto after = modelAfter("fold-batch-norm", model);
    const ir::Graph &graph = after->functions.front().graph;
    EXPECT_EQ(graph.at(graph.at(ir::Graph::body).nodes.front()).origins, (std::vector{ir::NodeId{0}, ir::NodeId{1}}));
}

} // namespace
} // namespace cutaway::test
