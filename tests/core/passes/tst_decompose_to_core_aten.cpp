// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

struct CompositeRow {
    std::string name;
    std::string node; ///< "%r = aten::silu(self=%x)"; %x is float32[2, 3, 4], %y float32[2, 4, 5], %m float32[3, 4]
    std::string operators; ///< "sigmoid mul", in order; "" if it stays
};
std::string compositeName(const ::testing::TestParamInfo<CompositeRow> &row) { return row.param.name; }

class DecomposeToCoreAten : public ::testing::TestWithParam<CompositeRow> { };

TEST_P(DecomposeToCoreAten, makesTheseOperators)
{
    const CompositeRow &row = GetParam();
    const auto model = parsedModel(
        formatted("(%x: float32[2, 3, 4], %y: float32[2, 4, 5], %m: float32[3, 4]) {{ {} return %r }}", row.node));
    const auto after = modelAfter("decompose-to-core-aten", model);
    if (row.operators.empty()) {
        EXPECT_EQ(printed(*after), printed(*model));
        return;
    }
    std::string operators;
    const ir::Graph &graph = after->functions.front().graph;
    for (const ir::NodeId node : graph.at(ir::Graph::body).nodes)
        operators += (operators.empty() ? "" : " ")
            + std::string(after->context->text(after->context->at(graph.at(node).op).name));
    EXPECT_EQ(operators, row.operators);
    std::mt19937 random(4);
    expectSameNumbers("decompose-to-core-aten", model, random, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Made, DecomposeToCoreAten,
    ::testing::Values(
        CompositeRow{"silu", "%r = aten::silu(self=%x)", "sigmoid mul"},
        CompositeRow{"square", "%r = aten::square(self=%x)", "mul"},
        CompositeRow{"relu6", "%r = aten::relu6(self=%x)", "clamp"},
        CompositeRow{"hardtanh", "%r = aten::hardtanh(self=%x, min_val=-0.5)", "clamp"},
        CompositeRow{"addcmul", "%r = aten::addcmul(self=%x, tensor1=%m, tensor2=%m, value=3)", "mul add"},
        CompositeRow{"flatten", "%r = aten::flatten.using_ints(self=%x, start_dim=1)", "view"},
        CompositeRow{"transpose", "%r = aten::transpose.int(self=%x, dim0=-1, dim1=0)", "permute"},
        CompositeRow{"mT", "%r = aten::mT(self=%x)", "permute"},
        CompositeRow{"matmulOfBatches", "%r = aten::matmul(self=%x, other=%y)", "bmm"},
        CompositeRow{"matmulOfMatrices", "%t = aten::t(self=%m) %r = aten::matmul(self=%m, other=%t)", "permute mm"},
        CompositeRow{"linearOfAMatrix", "%r = aten::linear(input=%m, weight=%m)", "permute mm"},
        CompositeRow{"linearOfMoreDimensions",
                     "%b = aten::select.int(self=%m, dim=1, index=0) %r = aten::linear(input=%x, weight=%m, bias=%b)",
                     "select view permute addmm view"},
        CompositeRow{"convolution",
                     "%w = aten::unsqueeze(self=%m, dim=2) %u = aten::transpose.int(self=%x, dim0=1, "
                     "dim1=2) %r = aten::conv1d(input=%u, weight=%w, stride=[2])",
                     "unsqueeze permute convolution"},
        CompositeRow{"softmax", "%r = aten::softmax.int(self=%x, dim=1)", "_softmax"},
        CompositeRow{"layerNorm", "%r = aten::layer_norm(input=%x, normalized_shape=[4])", "native_layer_norm"},
        CompositeRow{
            "batchNorm",
            "%a = aten::select.int(self=%m, dim=1, index=0) %v = aten::square(self=%a) %r = "
            "aten::batch_norm(input=%x, weight=none, bias=%a, running_mean=%a, running_var=%v, training=false, "
            "momentum=0.1, eps=0.1, cudnn_enabled=true)",
            "select mul _native_batch_norm_legit_no_training"}),
    compositeName);

INSTANTIATE_TEST_SUITE_P(
    Stays, DecomposeToCoreAten,
    ::testing::Values(CompositeRow{"coreOperators", "%r = aten::relu(self=%x)", ""},
                      CompositeRow{"ofOnnx", "%r = onnx::MatMul(%x, %y)", ""},
                      CompositeRow{"matmulThatBroadcasts", "%r = aten::matmul(self=%m, other=%y)", ""},
                      CompositeRow{
                          "aNormalizationInTraining",
                          "%a = aten::select.int(self=%m, dim=1, index=0) %r = aten::batch_norm(input=%x, weight=none, "
                          "bias=none, running_mean=%a, running_var=%a, training=true, momentum=0.1, eps=0.1, "
                          "cudnn_enabled=true)",
                          ""},
                      CompositeRow{"whatIsWrittenTo",
                                   "%a = aten::silu(self=%x) %b = aten::neg_(self=%a) %r = aten::relu(self=%b)", ""}),
    compositeName);

TEST(DecomposeToCoreAtenViews, areMadeOfWhatLiesInOrder)
{
    const std::string graph = "(%x: float32[2, 3]) { %t = aten::t(self=%x) %r = aten::reshape(self=%t, shape=[6]) "
                              "return %r }";
    const std::string after = afterPipeline("decompose-to-core-aten", graph);
    EXPECT_TRUE(after.contains("aten::permute") && after.contains("aten::reshape")) << after;
}

} // namespace
} // namespace cutaway::test
