// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each formula of a row against the row's own kernel: sample calls in each floating dtype, of usual and of special
// numbers, computed as they are and as the formula decomposes them.
#include "core/base/formatted.h"
#include "core/ops/operator.h"
#include "tests/core/passes/number_test.h"

#include <array>
#include <iostream>
#include <limits>
#include <set>

namespace cutaway::test {
namespace {

// Tensors that the samples read: any numbers (x, y, z), shares (p, q) from 0 to 1, targets of -1 and 1 (t), a matrix
// product's operands (m: 3×4, n: 4×5, v and w of 4 and 3, b and c: 2×3×4 and 2×4×5), a mask (k), indices (i), complex
// numbers (h), scores of two classes (g) and classes (j), a symmetric matrix of positive eigenvalues (a).
constexpr std::string_view inputs =
    "%x: T[2, 3, 4], %y: T[2, 3, 4], %z: T[2, 3, 4], %p: T[2, 3, 4], %q: T[2, 3, 4], %t: T[2, 3, 4], %m: T[3, 4], "
    "%n: T[3, 5], %v: T[4], %w: T[3], %b: T[2, 3, 4], %c: T[2, 4, 5], %o: T[2, 3, 5], %s: T[], %k: bool[2, 3, 4], "
    "%i: int64[2, 2], %h: complex64[2, 3], %g: T[2, 2, 3, 2], %j: int64[2, 3, 2], "
    "%a: T[3, 3]";

constexpr std::array samples{
    "celu(self=%x, alpha=0.5)",
    "celu(self=%x)",
    "selu(self=%x)",
    "relu6(self=%x)",
    "threshold(self=%x, threshold=0.5, value=3)",
    "silu(self=%x)",
    "mish(self=%x)",
    "hardswish(self=%x)",
    "hardsigmoid(self=%x)",
    "log_sigmoid(self=%x)",
    "hardshrink(self=%x, lambd=0.7)",
    "softshrink(self=%x, lambd=0.7)",
    "softplus(self=%x, beta=2, threshold=3)",
    "logit(self=%p)",
    "logit(self=%p, eps=0.1)",
    "rrelu(self=%x, lower=0.1, upper=0.3, training=false)",
    "glu(self=%x)",
    "glu(self=%x, dim=0)",
    "addcmul(self=%x, tensor1=%y, tensor2=%z, value=3)",
    "addcmul(self=%x, tensor1=%m, tensor2=%v)",
    "addcdiv(self=%x, tensor1=%y, tensor2=%z, value=0.5)",
    "lerp.Scalar(self=%x, end=%y, weight=0.25)",
    "lerp.Scalar(self=%x, end=%y, weight=0.75)",
    "lerp.Tensor(self=%x, end=%y, weight=%p)",
    "rsub.Scalar(self=%x, other=2, alpha=3)",
    "rsub.Tensor(self=%x, other=%y, alpha=2)",
    "floor_divide(self=%x, other=%y)",
    "floor_divide.Scalar(self=%x, other=0.75)",
    "clamp_min(self=%x, min=-0.5)",
    "clamp_min.Tensor(self=%x, min=%y)",
    "clamp_max(self=%x, max=0.5)",
    "clamp_max.Tensor(self=%x, max=%y)",
    "square(self=%x)",
    "frac(self=%x)",
    "deg2rad(self=%x)",
    "rad2deg(self=%x)",
    "sinc(self=%x)",
    "xlogy.Tensor(self=%x, other=%p)",
    "special_xlog1py(self=%x, other=%p)",
    "special_xlog1py.self_scalar(self=0, other=%x)",
    "logaddexp(self=%x, other=%y)",
    "logaddexp2(self=%x, other=%y)",
    "special_ndtr(self=%x)",
    "special_entr(self=%p)",
    "real(self=%x)",
    "real(self=%h)",
    "imag(self=%h)",
    "resolve_conj(self=%x)",
    "isfinite(self=%x)",
    "isclose(self=%x, other=%y, rtol=0.5, atol=0.25)",
    "isclose(self=%x, other=%x, equal_nan=true)",
    "masked_fill.Scalar(self=%x, mask=%k, value=2)",
    "masked_fill.Tensor(self=%x, mask=%k, value=%s)",
    "type_as(self=%x, other=%y)",
    "take(self=%x, index=%i)",
    "mse_loss(self=%x, target=%y)",
    "mse_loss(self=%x, target=%y, reduction=0)",
    "l1_loss(self=%x, target=%y, reduction=2)",
    "smooth_l1_loss(self=%x, target=%y, beta=0.5)",
    "smooth_l1_loss(self=%x, target=%y, reduction=0, beta=0.0)",
    "huber_loss(self=%x, target=%y, reduction=0, delta=0.5)",
    "binary_cross_entropy(self=%p, target=%q)",
    "binary_cross_entropy(self=%p, target=%q, weight=%p, reduction=0)",
    "binary_cross_entropy_with_logits(self=%x, target=%p)",
    "binary_cross_entropy_with_logits(self=%x, target=%p, weight=%q, pos_weight=%v, reduction=0)",
    "kl_div(self=%x, target=%p, reduction=0)",
    "kl_div(self=%x, target=%y, log_target=true)",
    "soft_margin_loss(self=%x, target=%t, reduction=0)",
    "hinge_embedding_loss(self=%x, target=%t, margin=1.5, reduction=0)",
    "margin_ranking_loss(input1=%x, input2=%y, target=%t, margin=0.5, reduction=0)",
    "mv(self=%m, vec=%v)",
    "dot(self=%v, tensor=%v)",
    "vdot(self=%v, other=%v)",
    "outer(self=%w, vec2=%v)",
    "addr(self=%m, vec1=%w, vec2=%v, beta=0.5, alpha=2)",
    "addr(self=%m, vec1=%w, vec2=%v, beta=0)",
    "addmv(self=%w, mat=%m, vec=%v, beta=0.5, alpha=2)",
    "addbmm(self=%n, batch1=%b, batch2=%c, beta=2, alpha=0.5)",
    "baddbmm(self=%o, batch1=%b, batch2=%c, beta=2, alpha=0.5)",
    "linalg_vecdot(x=%x, y=%y, dim=1)",
    "cosine_similarity(x1=%x, x2=%y, dim=1)",
    "logsumexp(self=%x, dim=[1, 2])",
    "logsumexp(self=%x, dim=[0], keepdim=true)",
    "argsort(self=%x, dim=1, descending=true)",
    "trace(self=%m)",
    "linalg_vector_norm(self=%x)",
    "linalg_vector_norm(self=%x, ord=1, dim=[0, 2])",
    "linalg_vector_norm(self=%x, ord=0, dim=[1], keepdim=true)",
    "linalg_vector_norm(self=%x, ord=inf, dim=[-1])",
    "linalg_vector_norm(self=%x, ord=-inf)",
    "linalg_vector_norm(self=%x, ord=3.0, dim=[1])",
    "norm.Scalar(self=%x)",
    "norm.ScalarOpt_dim(self=%x, p=1, dim=[2], keepdim=true)",
    "_safe_softmax(self=%x, dim=1)",
    "_convolution(input=%x, weight=%z, bias=none, stride=[1], padding=[1], dilation=[1], transposed=false, "
    "output_padding=[0], groups=1, benchmark=false, deterministic=false, cudnn_enabled=true, allow_tf32=true)",
    "fmax(self=%x, other=%y)",
    "fmin(self=%x, other=%v)",
    "count_nonzero(self=%x)",
    "count_nonzero(self=%k, dim=-1)",
    "count_nonzero.dim_IntList(self=%x, dim=[0, 2])",
    "heaviside(self=%x, values=%y)",
    "isposinf(self=%x)",
    "isneginf(self=%x)",
    "angle(self=%x)",
    "angle(self=%i)",
    "pairwise_distance(x1=%x, x2=%y)",
    "pairwise_distance(x1=%x, x2=%v, p=1.0, eps=0.5, keepdim=true)",
    "poisson_nll_loss(input=%x, target=%p, log_input=true, full=false, eps=0.5, reduction=0)",
    "poisson_nll_loss(input=%p, target=%q, log_input=false, full=true, eps=0.5, reduction=1)",
    "nan_to_num(self=%x)",
    "nan_to_num(self=%x, nan=1.5, posinf=7.0, neginf=-2.0)",
    "where.ScalarOther(condition=%k, self=%x, other=2.5)",
    "where.ScalarSelf(condition=%k, self=2, other=%x)",
    "sum(self=%x)",
    "all(self=%k)",
    "all.dim(self=%x, dim=1)",
    "all.dims(self=%k, dim=[0, 2], keepdim=true)",
    "var(self=%x)",
    "var(self=%x, unbiased=false)",
    "std.dim(self=%x, dim=[1], unbiased=false, keepdim=true)",
    "std(self=%x, unbiased=true)",
    "std.correction(self=%x, dim=[0, 2], correction=2.0)",
    "fill.Tensor(self=%x, value=%s)",
    "layer_norm(input=%x, normalized_shape=[4], weight=%v, bias=none)",
    "argsort.stable(self=%x, stable=true, dim=1)",
    "inverse(self=%a)",
    "linalg_inv(A=%a)",
    "linalg_cholesky(self=%a)",
    "det(self=%a)",
    "linalg_det(A=%a)",
    "linalg_solve(A=%a, B=%a)",
    "nll_loss2d(self=%g, target=%j)",
    "nll_loss2d(self=%g, target=%j, reduction=0, ignore_index=1)",
    "fake_quantize_per_tensor_affine(self=%x, scale=0.25, zero_point=3, quant_min=-8, quant_max=7)",
};

// Calls of two results; then operators whose formula is of ones that are not computed, that are core ones, or of
// overloads that the kernel does not compute.
constexpr std::array pairs{"aminmax(self=%x)",
                           "aminmax(self=%x, dim=1, keepdim=true)",
                           "var_mean(self=%x)",
                           "var_mean.correction(self=%x, dim=[1], correction=0, keepdim=true)",
                           "std_mean.dim(self=%x, dim=[2], unbiased=false)",
                           "linalg_slogdet(A=%a)"};
const std::set<std::string_view> uncompared{"cdist", "grid_sampler", "elu", "max", "min", "batch_norm", "_int_mm"};

struct Precision {
    std::string_view dtype;
    double tolerance; ///< relative to the larger of 1 and the number
};
constexpr std::array precisions{Precision{"float64", 1e-12}, Precision{"float32", 2e-5}, Precision{"float16", 4e-3},
                                Precision{"bfloat16", 3e-2}};

std::string graphOf(std::string_view call, bool isPair, std::string_view dtype)
{
    const auto results = isPair ? std::string_view("%r, %u") : std::string_view("%r");
    std::string text = formatted("model \"m\"\ngraph @forward({}) {{\n  {} = aten::{}\n  return {}\n}}\n", inputs,
                                 results, call, results);
    for (std::size_t at = text.find(": T["); at != text.npos; at = text.find(": T[", at))
        text.replace(at + 2, 1, dtype);
    return text;
}

double drawn(std::string_view name, std::mt19937 &random, bool isSpecial)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr std::array special{
        0.0, -0.0, 1.0, -1.0, 3.0, -3.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
    const bool isShare = name == "p" || name == "q";
    if (name == "t")
        return random() % 2 == 0 ? 1 : -1;
    if (isSpecial && random() % 2 == 0)
        return special[random() % (isShare ? 1 : special.size())];
    return std::uniform_real_distribution<double>(isShare ? 0.01 : -4, isShare ? 0.99 : 4)(random);
}

Values valuesFor(const ir::Model &model, std::mt19937 &random, bool isSpecial)
{
    Values values;
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::ValueId input : graph.at(ir::Graph::body).inputs) {
        const ir::TensorType &type = *ir::tensorType(*model.context, graph.at(input).type);
        compute::Sizes shape;
        for (const ir::Dim &dim : *type.shape)
            shape.push_back(std::get<std::int64_t>(dim));
        const auto count = static_cast<std::size_t>(compute::countOf(shape));
        if (ir::isComplex(*type.dtype)) {
            values.emplace_back(randomArray(random, std::move(shape), *type.dtype));
            continue;
        }
        const std::string_view name = ir::ValueRef(graph, input).name();
        if (!ir::isFloating(*type.dtype)) {
            std::vector<std::int64_t> integers(count);
            for (std::int64_t &x : integers)
                x = static_cast<std::int64_t>(random() % (type.dtype == ir::DType::Bool || name == "j" ? 2 : 24));
            values.emplace_back(compute::Array{*type.dtype, std::move(shape), std::move(integers)});
            continue;
        }
        std::vector<double> floats(count);
        for (double &x : floats)
            x = ir::rounded(*type.dtype, drawn(name, random, isSpecial));
        if (name == "a")
            floats = {3, 0.5, 1, 0.5, 4, 0.25, 1, 0.25, 2};
        values.emplace_back(compute::Array{*type.dtype, std::move(shape), std::move(floats)});
    }
    return values;
}

/// Expects the call to compute the same by its formula as by its kernel.
void expectFormulaHolds(std::string_view call, bool isPair, const Precision &precision, bool isSpecial)
{
    SCOPED_TRACE(formatted("{} of {}, {} numbers", call, precision.dtype, isSpecial ? "special" : "usual"));
    auto parsed = ir::parseText(graphOf(call, isPair, precision.dtype));
    ASSERT_TRUE(parsed) << parsed.error().text();
    const auto model = std::make_shared<const ir::Model>(std::move(*parsed));
    const auto after = modelAfter("decompose-to-core-aten", model);
    ASSERT_TRUE(after);
    ASSERT_NE(printed(*after), printed(*model)) << "the formula does not hold for the sample";
    std::mt19937 random(7);
    const Values given = valuesFor(*model, random, isSpecial);
    const auto expected = evaluate::evaluate(*model, ir::FunctionId{0}, given);
    ASSERT_TRUE(expected) << expected.error().text();
    const auto results = evaluate::evaluate(*after, ir::FunctionId{0}, given);
    ASSERT_TRUE(results) << results.error().text() << "\n" << printed(*after);
    for (std::size_t i = 0; i < results->size(); ++i)
        EXPECT_LE(difference((*expected)[i], (*results)[i]), precision.tolerance) << printed(*after);
}

std::string operatorOf(std::string_view call) { return std::string(call.substr(0, call.find_first_of(".("))); }

class Formulas : public ::testing::TestWithParam<std::string> { };

TEST_P(Formulas, ComputeWhatTheKernelDoes)
{
    const std::string call = GetParam();
    const bool isPair = std::ranges::contains(pairs, call);
    for (const Precision &precision : precisions)
        for (const bool isSpecial : {false, true})
            expectFormulaHolds(call, isPair, precision, isSpecial);
}

std::vector<std::string> allSamples()
{
    std::vector<std::string> all(samples.begin(), samples.end());
    all.insert(all.end(), pairs.begin(), pairs.end());
    return all;
}

std::string nameOfSample(const ::testing::TestParamInfo<std::string> &sample)
{
    return formatted("{}_{}", operatorOf(sample.param), sample.index);
}

INSTANTIATE_TEST_SUITE_P(OfRows, Formulas, ::testing::ValuesIn(allSamples()), nameOfSample);

TEST(FormulaSamples, AreThereForEachFormulaWithAKernel)
{
    std::set<std::string> sampled;
    for (const std::string &call : allSamples())
        sampled.insert(operatorOf(call));
    std::size_t tested = 0;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows) {
            if (row.traits.formula.empty() || !row.traits.compute
                || row.traits.onQuantized != ops::OnQuantized::Unsupported)
                continue;
            const auto names = ops::namesOf(row);
            const bool isSampled = std::ranges::any_of(names, [&](const ops::OperatorName &name) {
                return name.dialect == "aten"
                    && (sampled.contains(std::string(name.name)) || uncompared.contains(name.name));
            });
            EXPECT_TRUE(isSampled) << "no sample of " << row.names;
            tested += isSampled;
        }
    std::cout << tested - uncompared.size() << " formulas are compared with kernels, by " << allSamples().size()
              << " calls\n";
}

} // namespace
} // namespace cutaway::test
