// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

struct NormRow {
    std::string name;
    std::string tensors; ///< "w[4, 3, 2, 2] s[4]"
    std::string graph;   ///< without the weights
};

/// Declares the tensors and makes each a weight of the graph.
std::shared_ptr<const ir::Model> modelOf(const NormRow &row, unsigned seed = 1)
{
    std::string header, weights;
    static const std::regex one("([a-z]+)(\\[[0-9, ]*\\])");
    for (auto at = std::sregex_iterator(row.tensors.begin(), row.tensors.end(), one); at != std::sregex_iterator();
         ++at) {
        header += "tensor @" + at->str(1) + ": float32" + at->str(2) + "\n";
        weights += "weight %" + at->str(1) + ": float32" + at->str(2) + " = @" + at->str(1) + " ";
    }
    std::string graph = row.graph;
    graph.insert(graph.find('{') + 1, " " + weights);
    auto model = std::make_shared<ir::Model>(*parsedModel(graph, header));
    std::mt19937 random(seed);
    fillTensors(*model, random);
    return model;
}

bool hasNorm(const ir::Model &model) { return printed(model).contains("orm("); }

class FoldBatchNorm : public ::testing::TestWithParam<NormRow> { };
class KeepBatchNorm : public ::testing::TestWithParam<NormRow> { };

TEST_P(FoldBatchNorm, makesItPartOfTheLayer)
{
    const auto model = modelOf(GetParam());
    EXPECT_FALSE(hasNorm(*modelAfter("fold-batch-norm", model))) << printed(*modelAfter("fold-batch-norm", model));
    std::mt19937 random(2);
    expectSameNumbers("fold-batch-norm", model, random, 1e-5);
}

TEST_P(KeepBatchNorm, whereItCannotBePartOfTheLayer)
{
    const auto model = modelOf(GetParam());
    EXPECT_EQ(printed(*modelAfter("fold-batch-norm", model)), printed(*model));
}

std::string normName(const ::testing::TestParamInfo<NormRow> &row) { return row.param.name; }

const std::string atenNorm = "%r = aten::batch_norm(input=%c, weight=%s, bias=%b, running_mean=%m, running_var=%v, "
                             "training=false, momentum=0.1, eps=0.001, cudnn_enabled=false) return %r }";
const std::string onnxNorm = "%r = onnx::BatchNormalization(%c, %s, %b, %m, %v, epsilon=0.001) return %r }";

INSTANTIATE_TEST_SUITE_P(
    Folded, FoldBatchNorm,
    ::testing::Values(
        NormRow{"ofAConvolution", "w[4, 3, 2, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 3, 4, 4]) { %c = aten::conv2d(input=%x, weight=%w) " + atenNorm},
        NormRow{"ofAConvolutionWithABias", "w[4, 3, 2, 2] k[4] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 3, 4, 4]) { %c = aten::conv2d(input=%x, weight=%w, bias=%k, stride=[2, 2]) "
                    + atenNorm},
        NormRow{"ofAGroupedConvolution", "w[4, 1, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 2, 4]) { %c = aten::conv1d(input=%x, weight=%w, groups=2) " + atenNorm},
        NormRow{"withoutWeights", "w[4, 1, 2] m[4] v[4]",
                "(%x: float32[1, 1, 4]) { %c = aten::conv1d(input=%x, weight=%w) %r = aten::batch_norm(input=%c, "
                "weight=none, bias=none, running_mean=%m, running_var=%v, training=false, momentum=0.1, eps=0.001, "
                "cudnn_enabled=false) return %r }"},
        NormRow{"ofATransposedConvolution", "w[4, 2, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 4, 3]) { %c = aten::conv_transpose1d(input=%x, weight=%w, groups=2, stride=[2]) "
                    + atenNorm},
        NormRow{"ofALinearLayer", "w[4, 3] k[4] s[4] b[4] m[4] v[4]",
                "(%x: float32[2, 3]) { %c = aten::linear(input=%x, weight=%w, bias=%k) " + atenNorm},
        NormRow{
            "ofCoreAten", "w[4, 3, 1, 1] s[4] b[4] m[4] v[4]",
            "(%x: float32[1, 3, 2, 2]) { %c = aten::convolution(%x, %w, none, [1, 1], [0, 0], [1, 1], false, [0, 0], "
            "1) %r, %p, %q = aten::_native_batch_norm_legit_no_training(%c, %s, %b, %m, %v, 0.1, 0.001) return %r }"},
        NormRow{"ofAConv", "w[4, 3, 2, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 3, 4, 4]) { %c = onnx::Conv(%x, %w, pads=[1, 1, 0, 0]) " + onnxNorm},
        NormRow{"ofAConvTranspose", "w[4, 2, 2] k[4] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 4, 3]) { %c = onnx::ConvTranspose(%x, %w, %k, group=2) " + onnxNorm},
        NormRow{"ofAGemm", "w[3, 4] k[4] s[4] b[4] m[4] v[4]",
                "(%x: float32[2, 3]) { %c = onnx::Gemm(%x, %w, %k) " + onnxNorm},
        NormRow{"ofATurnedGemm", "w[4, 3] s[4] b[4] m[4] v[4]",
                "(%x: float32[2, 3]) { %c = onnx::Gemm(%x, %w, transB=1) " + onnxNorm}),
    normName);

INSTANTIATE_TEST_SUITE_P(
    Kept, KeepBatchNorm,
    ::testing::Values(
        NormRow{"inTraining", "w[4, 1, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 1, 4]) { %c = aten::conv1d(input=%x, weight=%w) %r = aten::batch_norm(input=%c, "
                "weight=%s, bias=%b, running_mean=%m, running_var=%v, training=true, momentum=0.1, eps=0.001, "
                "cudnn_enabled=false) return %r }"},
        NormRow{"whereSomebodyElseReads", "w[4, 1, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 1, 4]) { %c = onnx::Conv(%x, %w) %d = onnx::Relu(%c) %r = "
                "onnx::BatchNormalization(%c, %s, %b, %m, %v) return %d, %r }"},
        NormRow{"ofWeightsThatAreComputed", "w[4, 1, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 1, 4]) { %n = onnx::Neg(%w) %c = onnx::Conv(%x, %n) " + onnxNorm},
        NormRow{"whereTheChannelIsNotTheLast", "w[4, 3] s[4] b[4] m[4] v[4]",
                "(%x: float32[2, 4, 3]) { %c = aten::linear(input=%x, weight=%w) " + atenNorm},
        NormRow{"ofAGemmWithFactors", "w[3, 4] s[4] b[4] m[4] v[4]",
                "(%x: float32[2, 3]) { %c = onnx::Gemm(%x, %w, alpha=0.5) " + onnxNorm},
        NormRow{"ofWhatIsWrittenTo", "w[4, 1, 2] s[4] b[4] m[4] v[4]",
                "(%x: float32[1, 1, 4]) { %c = aten::conv1d(input=%x, weight=%w) %d = aten::relu_(self=%c) "
                    + atenNorm}),
    normName);

TEST(FoldBatchNormOrigins, areTheLayerAndTheNormalization)
{
    const auto model =
        modelOf({"", "w[4, 1, 2] s[4] b[4] m[4] v[4]", "(%x: float32[1, 1, 4]) { %c = onnx::Conv(%x, %w) " + onnxNorm});
    const auto after = modelAfter("fold-batch-norm", model);
    const ir::Graph &graph = after->functions.front().graph;
    EXPECT_EQ(graph.at(graph.at(ir::Graph::body).nodes.front()).origins, (std::vector{ir::NodeId{0}, ir::NodeId{1}}));
}

} // namespace
} // namespace cutaway::test
