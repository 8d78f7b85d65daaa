// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <numeric>
#include <ranges>

// Products of matrices are mm, addmm and bmm. Products of more dimensions are composed of these, as torch.matmul does
// it.

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

ir::Shape joined(std::span<const ir::Dim> a, std::initializer_list<ir::Dim> b)
{
    ir::Shape shape(a.begin(), a.end());
    shape.insert(shape.end(), b);
    return shape;
}

/// Computes [batch…, n, k] × [batch…, k, m], where a dimension of the batch may be missing or 1.
Parts batchedProduct(D &d, const Term &a, const D::Tensor &x, const Term &b, const D::Tensor &y)
{
    const auto batchA = std::span(x.shape).first(x.rank() - 2), batchB = std::span(y.shape).first(y.rank() - 2);
    ir::Shape batch(std::max(batchA.size(), batchB.size()), ops::one);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const ir::Dim left = i < batchA.size() ? batchA[batchA.size() - 1 - i] : ops::one;
        const ir::Dim right = i < batchB.size() ? batchB[batchB.size() - 1 - i] : ops::one;
        if (!ops::isSame(left, right) && !ops::isOne(left) && !ops::isOne(right))
            return d.refuse("whether its factors broadcast is not known");
        batch[batch.size() - 1 - i] = ops::isOne(left) ? right : left;
    }
    const ir::Dim rows = x.shape[x.rank() - 2], inner = x.shape.back(), columns = y.shape.back();
    const ir::Dim count = ops::product(batch);
    const Term left = reshape(expand(a, joined(batch, {rows, inner})), {count, rows, inner});
    const Term right = reshape(expand(b, joined(batch, {inner, columns})), {count, inner, columns});
    return {reshape(d.make("bmm", {left, right}), joined(batch, {rows, columns}))};
}

/// Multiplies a stack of matrices by one matrix: the rows of the stack become those of one matrix.
Term stackTimesMatrix(D &d, const Term &a, const D::Tensor &x, const Term &b, const ir::Dim &columns)
{
    const auto outer = std::span(x.shape).first(x.rank() - 1);
    const Term flat = reshape(a, {ops::product(outer), x.shape.back()});
    return reshape(d.make("mm", {flat, b}), joined(outer, {columns}));
}

Parts matmulOf(D &d, const Term &a, const Term &b)
{
    const auto x = d.tensor(a), y = d.tensor(b);
    if (x.rank() == 0 || y.rank() == 0 || x.dtype != y.dtype)
        return d.refuse("its factors are numbers, or of two dtypes");
    if (y.rank() == 1)
        return {x.rank() == 1
                    ? d.make("squeeze.dims", {d.make("mm", {unsqueeze(a, 0), unsqueeze(b, 1)}), D::list({0, 1})})
                    : squeeze(matmul(a, unsqueeze(b, 1)), -1)};
    if (x.rank() == 1)
        return {squeeze(matmul(unsqueeze(a, 0), b), -2)};
    if (x.rank() == 2 && y.rank() == 2)
        return {d.make("mm", {a, b})};
    if (y.rank() == 2)
        return {stackTimesMatrix(d, a, x, b, y.shape.back())};
    if (x.rank() == 3 && y.rank() == 3 && ops::isSame(x.shape.front(), y.shape.front()))
        return {d.make("bmm", {a, b})};
    return batchedProduct(d, a, x, b, y);
}

/// Computes a linear layer as a product of two matrices, for which the outer dimensions of the input become one.
Parts linear(D &d)
{
    const Term a = d["input"], weight = d["weight"], bias = d["bias"];
    const auto x = d.tensor("input"), w = d.tensor("weight");
    if (w.rank() == 0 || w.rank() > 2 || x.rank() == 0 || x.dtype != w.dtype)
        return d.refuse("its input is a number, or its weight no matrix of the same dtype");
    if (w.rank() == 1) {
        const Term product = matmul(a, weight);
        return {bias.isNone() ? product : product + bias};
    }
    const auto outer = std::span(x.shape).first(x.rank() - 1);
    const ir::Dim rows = ops::product(outer), inner = w.shape[1], columns = w.shape.front();
    const Term flat = reshape(a, {rows, inner});
    const Term turned = d.make("permute", {weight, D::list({1, 0})});
    const Term product = bias.isNone() ? d.make("mm", {flat, turned}) : d.make("addmm", {bias, flat, turned});
    return {reshape(product, joined(outer, {columns}))};
}

/// A factor of a tensordot: the dimensions that are summed over, and the others.
struct SummedFactor {
    ir::Shape kept, summed;
    std::vector<std::size_t> keptDims, summedDims;
};

SummedFactor factorOf(D &d, std::string_view tensor, std::string_view dims)
{
    const auto known = d.tensor(tensor);
    SummedFactor made;
    for (const std::int64_t dim : d.integers(dims)) {
        made.summedDims.push_back(d.known(ops::dimension(dim, known.rank()), "a dimension that it sums over is"));
        if (!d.isRefused())
            made.summed.push_back(known.shape[made.summedDims.back()]);
    }
    for (std::size_t i = 0; i < known.rank(); ++i)
        if (!std::ranges::contains(made.summedDims, i)) {
            made.keptDims.push_back(i);
            made.kept.push_back(known.shape[i]);
        }
    return made;
}

/// Sums over dimensions of both tensors, as a product of two matrices.
Parts tensorDot(D &d)
{
    const SummedFactor a = factorOf(d, "self", "dims_self"), b = factorOf(d, "other", "dims_other");
    if (d.isRefused() || !std::ranges::equal(a.summed, b.summed, ops::isSame))
        return d.refuse("whether the dimensions that it sums over are the same is not known");
    std::vector<std::size_t> orderA = a.keptDims, orderB = b.summedDims;
    orderA.insert(orderA.end(), a.summedDims.begin(), a.summedDims.end());
    orderB.insert(orderB.end(), b.keptDims.begin(), b.keptDims.end());
    const ir::Dim count = ops::product(a.summed);
    const Term product = d.make("mm",
                                {reshape(permute(d["self"], orderA), {ops::product(a.kept), count}),
                                 reshape(permute(d["other"], orderB), {count, ops::product(b.kept)})});
    ir::Shape shape = a.kept;
    shape.insert(shape.end(), b.kept.begin(), b.kept.end());
    return {reshape(product, shape)};
}

/// Computes the Kronecker product: each element of one tensor times the whole other tensor.
Parts kronecker(D &d)
{
    const auto x = d.tensor("self"), y = d.tensor("other"), result = d.result();
    ir::Shape wideA, wideB;
    for (std::size_t i = 0; i < result.rank(); ++i) {
        const auto sizeIn = [&](const D::Tensor &t) {
            return i + t.rank() < result.rank() ? ir::Dim(ops::one) : t.shape[i + t.rank() - result.rank()];
        };
        wideA.insert(wideA.end(), {sizeIn(x), ops::one});
        wideB.insert(wideB.end(), {ops::one, sizeIn(y)});
    }
    const Term a = reshape(d["self"], wideA), b = reshape(d["other"], wideB);
    return {reshape(a * b, result.shape)};
}

/// Computes Σ a·W·b for each of the outputs.
Parts bilinear(D &d)
{
    const Term bias = d["bias"];
    const auto x = d.tensor("input1"), w = d.tensor("weight"), result = d.result();
    if (w.rank() != 3 || x.rank() == 0 || x.dtype != w.dtype)
        return d.refuse("its weight is not of three dimensions, or of another dtype");
    const ir::Dim rows = ops::product(std::span(x.shape).first(x.rank() - 1));
    const Term first = reshape(d["input1"], {rows, w.shape[1]});
    const Term turned = reshape(permute(d["weight"], {1, 0, 2}), {w.shape[1], ops::times(w.shape[0], w.shape[2])});
    const Term half = reshape(d.make("mm", {first, turned}), {rows, w.shape[0], w.shape[2]});
    const Term second = reshape(d["input2"], {rows, w.shape[2], ops::one});
    const Term product = reshape(d.make("bmm", {half, second}), result.shape);
    return {bias.isNone() ? product : product + bias};
}

Parts chained(D &d)
{
    const auto matrices = d.items("tensors");
    if (matrices.size() < 2)
        return {};
    Term product = matrices.front();
    for (const Term &next : std::span(matrices).subspan(1))
        product = matmul(product, next);
    return {product};
}

/// Returns an argument as a list with one number per dimension; in the schema one number may stand for all. `none`: the
/// number if the argument is omitted.
ir::Operand perDimension(D &d, std::string_view name, std::size_t count, std::int64_t none)
{
    const D::Numbers given = d.has(name) ? d.integers(name) : D::Numbers{none};
    if (given.size() != 1 && given.size() != count) {
        d.refuse(formatted("'{}' is not one number for each dimension", name));
        return {};
    }
    return D::list(given.size() == count ? given : D::Numbers(count, given.front()));
}

/// Returns the padding as numbers. The word "same" means the same padding on both sides, which follows from the kernel
/// and its dilation if the stride is 1.
ir::Operand paddingOf(D &d, const D::Tensor &weight)
{
    const std::string_view word = d.text("padding");
    if (word.empty())
        return perDimension(d, "padding", weight.rank() - 2, 0);
    if (word != "same" && word != "valid")
        d.refuse("its padding is not known");
    D::Numbers padding(weight.rank() - 2, 0);
    const D::Numbers dilation = d.integers("dilation");
    for (std::size_t i = 0; word != "valid" && i < padding.size() && !dilation.empty(); ++i) {
        const std::int64_t kernel = d.known(ops::number(weight.shape[i + 2]), "the size of its kernel is");
        const auto total = kernel > 0 ? checkedMultiply(kernel - 1, dilation[std::min(i, dilation.size() - 1)]) : 0;
        if (!total || *total % 2 != 0)
            d.refuse(total ? "it is padded by more on one side than on the other" : "its padding is beyond 64 bits");
        padding[i] = total.value_or(0) / 2;
    }
    return D::list(padding);
}

Parts convolution(D &d)
{
    const auto given = ops::convolutionArguments(d.call());
    const auto w = d.tensor("weight"), x = d.tensor("input");
    if (!given || !given->transposed || w.rank() < 3 || ir::isComplex(w.dtype))
        // torch makes convolutions of complex numbers from real ones.
        return d.refuse("it is of complex numbers, or of no known dimensions");
    const std::size_t spatial = w.rank() - 2;
    const bool isSingle = x.rank() + 1 == w.rank(); // whether the input is one image without a batch
    if (x.rank() != w.rank() && !isSingle)
        return d.refuse("its input is of other dimensions than its weight");
    const Term images = isSingle ? unsqueeze(d["input"], 0) : d["input"];
    const Term made = d.make("convolution",
                             {images, d["weight"], d["bias"], perDimension(d, "stride", spatial, 1), paddingOf(d, w),
                              perDimension(d, "dilation", spatial, 1), *given->transposed,
                              perDimension(d, "output_padding", spatial, 0), d["groups"]});
    return {isSingle ? squeeze(made, 0) : made};
}

/// Computes a product with a weight of int8 that has a row and a scale for each column of the result.
Parts productOfInt8Weights(D &d)
{
    const Term self = widened(d["self"]);
    const Term weight = d.make("permute", {cast(d["mat2"], d.dtype(self)), D::list({1, 0})});
    const Term product = d.make("mm", {self, weight}), scales = widened(d["scales"]);
    return {cast(product * scales, d.declaredDType())};
}

constexpr DecompositionRule matrixProductDecompositions[] = {
    {"aten::_weight_int8pack_mm", productOfInt8Weights},
    {"aten::bilinear", bilinear},
    {"aten::conv1d", convolution},
    {"aten::conv2d", convolution},
    {"aten::conv3d", convolution},
    {"aten::conv_transpose1d", convolution},
    {"aten::conv_transpose2d", convolution},
    {"aten::conv_transpose3d", convolution},
    {"aten::kron", kronecker},
    {"aten::linalg_multi_dot", chained},
    {"aten::linear", linear},
    {"aten::matmul", [](D &d) { return matmulOf(d, d["self"], d["other"]); }},
    {"aten::tensordot", tensorDot},
};

// ---- from ONNX

using N = OnnxNode;

Parts matmul(N &n) { return {matmul(n[0], n[1])}; }

Term times(const Term &x, double factor) { return factor == 1 ? x : x * factor; }

/// Makes torch's linear if the weight is transposed and nothing is scaled; else mm and arithmetic.
Parts gemm(N &n)
{
    const ops::MatrixProductArguments given = ops::matrixProductArguments(n.call());
    if (n.tensor(0).rank() != 2 || n.tensor(1).rank() != 2)
        return n.refuse("a factor is no matrix");
    const bool transposesA = n.known(given.transposeA, "how its factors lie is");
    const bool transposesB = n.known(given.transposeB, "how its factors lie is");
    const double alpha = n.known(given.alpha, "its alpha is"), beta = n.known(given.beta, "its beta is");
    const bool isPlain = !transposesA && alpha == 1 && (!n.has(2) || beta == 1);
    const ir::Shape *added = n.call().shape(2);
    if (isPlain && transposesB && (!n.has(2) || (added && added->size() == 1)))
        return {n.make("linear", {n[0], n[1], n[2]})};
    const auto turned = [&](const Term &x, bool transposes) { return transposes ? n.make("t", {x}) : x; };
    const Term product = n.make("mm", {turned(n[0], transposesA), turned(n[1], transposesB)}),
               scaled = times(product, alpha);
    return {n.has(2) ? scaled + times(n[2], beta) : scaled};
}

Parts einsum(N &n)
{
    std::vector<Term> operands;
    for (std::size_t i = 0; i < n.inputCount(); ++i)
        operands.push_back(n[i]);
    return {n.make("einsum", {n.word(n.text("equation", "")), N::list(operands)})};
}

constexpr OnnxLowering matrixProductLowerings[] = {
    {"onnx::Einsum", einsum},
    {"onnx::Gemm", gemm},
    {"onnx::MatMul", matmul},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// Computes alpha·a·b + beta·added.
Term withAdded(L &l, const ops::MatrixProductArguments &given, Term product)
{
    if (l.known(given.alpha, "alpha is") != 1)
        product = product * *given.alpha;
    const double beta = l.known(given.beta, "beta is");
    if (!l.call().has(given.added) || beta == 0)
        return product;
    const Term added = cast(l[given.added], product.dtype);
    return product + (beta == 1 ? added : added * beta);
}

/// Makes a product of two matrices and a sum one Gemm.
Results gemmRule(L &l)
{
    const auto given = ops::matrixProductArguments(l.call());
    const auto a = l.tensor(given.a), b = l.tensor(given.b);
    if (a.rank() != 2 || b.rank() != 2 || !l.call().has(given.added) || !ir::isFloating(a.dtype))
        return l.refuse("no product of two matrices");
    const auto dtype = l.resultDType();
    return {l.make("Gemm", {cast(l[given.a], dtype), cast(l[given.b], dtype), cast(l[given.added], dtype)},
                   {{"alpha", l.known(given.alpha, "alpha is")},
                    {"beta", l.known(given.beta, "beta is")},
                    {"transB", std::int64_t{l.known(given.transposeB, "the weight's order is")}}})};
}

Results integerProductRule(L &l) { return {l.make("MatMulInteger", {l["self"], l["mat2"]}, {}, ir::DType::Int32)}; }

Results productRule(L &l)
{
    const auto given = ops::matrixProductArguments(l.call());
    const auto b = l.tensor(given.b);
    const auto dtype = l.resultDType();
    Term right = cast(l[given.b], dtype);
    if (l.known(given.transposeB, "the weight's order is") && b.rank() > 1)
        right = transposed(right, b.rank(), b.rank() - 2, b.rank() - 1);
    return {withAdded(l, given, l.make("MatMul", {cast(l[given.a], dtype), right}))};
}

Results determinantRule(L &l)
{
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i))
            return l.refuse("its factors as results");
    return {applied("Det", l[0]), Lowered(), Lowered()};
}

/// Adds dimensions of size 1 in front of operands, since in ONNX all ellipses of an equation have the same number of
/// dimensions.
void evenDots(L &l, std::string_view equation, std::vector<Term> &operands)
{
    const auto *tensors = l.call()["tensors"].as<ops::SequenceFact>();
    struct Dots {
        std::size_t operand, place, count;
    };
    std::vector<Dots> all;
    std::string inputs(equation.substr(0, equation.find("->")));
    std::erase(inputs, ' ');
    std::size_t i = 0;
    for (const auto part : std::views::split(inputs, ',')) {
        const std::string_view labels(part);
        const std::size_t place = labels.find("...");
        const auto *tensor = tensors && i < tensors->each().size() ? ops::asTensor(tensors->each()[i]) : nullptr;
        if (place != labels.npos && i < operands.size())
            all.push_back({i, place,
                           tensor && tensor->shape && tensor->shape->size() + 3 >= labels.size()
                               ? tensor->shape->size() + 3 - labels.size()
                               : labels.npos});
        ++i;
    }
    if (all.size() < 2)
        return;
    const std::size_t most = std::ranges::max(all, {}, &Dots::count).count;
    if (most == std::string_view::npos) {
        l.refuse("the ranks of its operands are not known");
        return;
    }
    for (const Dots &dots : all)
        if (dots.count < most) {
            std::vector<std::int64_t> axes(most - dots.count);
            std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(dots.place));
            operands[dots.operand] = unsqueeze(operands[dots.operand], axes);
        }
}

/// Rewrites the equation in the letters that ONNX Runtime accepts.
Results einsumRule(L &l)
{
    const std::string_view equation = l.text("equation");
    if (equation.empty())
        return l.refuse("its equation is not known");
    std::vector<Term> operands = l.items("tensors");
    for (Term &operand : operands)
        operand = cast(operand, l.resultDType());
    evenDots(l, equation, operands);
    return {l.make("Einsum", operands, {{"equation", ir::String{l.graph().context().name(equation)}}})};
}

constexpr LoweringRule matrixProductRules[] = {
    {"aten::addmm aten::linear", gemmRule},
    {"aten::_int_mm", integerProductRule},
    {"aten::mm aten::bmm aten::matmul aten::mv aten::dot aten::addmm aten::baddbmm aten::addmv aten::linear",
     productRule},
    {"aten::_linalg_det aten::linalg_det aten::det", determinantRule},
    {"aten::einsum", einsumRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family matrixProduct()
{
    return {.decompositions = to_aten::matrixProductDecompositions,
            .fromOnnx = to_aten::matrixProductLowerings,
            .toOnnx = to_onnx::matrixProductRules};
}

} // namespace cutaway::rules
