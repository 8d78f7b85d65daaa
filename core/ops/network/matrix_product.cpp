// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/matrix_product.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/broadcasting.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/einsum.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/network/packed_matmul.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

std::optional<ir::DType> firstType(std::initializer_list<const TensorFact *> tensors)
{
    for (const TensorFact *tensor : tensors)
        if (tensor && tensor->dtype)
            return tensor->dtype;
    return std::nullopt;
}

/// Returns the product of the factors, or the reason why there is none.
Answer productOf(const Call &call, std::optional<ir::DType> dtype)
{
    const MatrixProductArguments given = matrixProductArguments(call);
    const auto a = given.shapeOfA(call), b = given.shapeOfB(call);
    if (!a || !b)
        return onlyType(dtype, "number of dimensions of a factor unknown");
    auto shape = productShape(call, *a, *b);
    if (!shape)
        return wrong(formatted("cannot multiply {} by {}", ir::print(*a), ir::print(*b)));
    return {tensorFact(dtype, std::move(shape))};
}

Cost matmulCost(const Call &call, std::span<const Fact>)
{
    const MatrixProductArguments given = matrixProductArguments(call);
    const auto a = given.shapeOfA(call), b = given.shapeOfB(call);
    return a && b ? productCost(&*a, &*b) : Cost{ir::UnknownDim{}};
}

/// Returns the cost of a product that PyTorch's counter does not count: all of it becomes otherFlops.
template <CostRule cost>
Cost uncounted(const Call &call, std::span<const Fact> results)
{
    const Cost counted = cost(call, results);
    return {std::int64_t{0}, plus(counted.flops, counted.otherFlops)};
}

Answer matmul(const Call &call)
{
    const auto asked = call.dtype("out_dtype");
    return productOf(call, asked ? asked : firstType({call.tensor(0u), call.tensor(1u)}));
}

/// Returns the product if both factors have this rank: mm and bmm do not broadcast.
template <std::size_t rank>
Answer matmulOfRank(const Call &call)
{
    for (const std::size_t i : {0u, 1u})
        if (const ir::Shape *shape = call.shape(i); shape && shape->size() != rank)
            return wrong(formatted("expected {} dimensions, found {}", rank, ir::print(*shape)));
    return matmul(call);
}

Answer intMatmul(const Call &call) { return productOf(call, ir::DType::Int32); }

/// The result has the dtype of the argument at `typed`: a zero point or a scale.
template <std::size_t typed>
Answer typedMatmul(const Call &call)
{
    return productOf(call, call.dtypeOf(typed));
}

/// Returns the product, if the added tensor broadcasts to it.
Answer withAdded(const Call &call, Answer product)
{
    const TensorFact *result = product.facts.empty() ? nullptr : asTensor(product.facts.front());
    const ir::Shape *added = call.shape(matrixProductArguments(call).added);
    if (result && result->shape && added && !broadcast(call, *added, *result->shape))
        return wrong(formatted("cannot add {} to {}", ir::print(*added), ir::print(*result->shape)));
    return product;
}

/// addmm, baddbmm, addmv: self + mat1 mat2.
Answer addmm(const Call &call)
{
    const auto asked = call.dtype("out_dtype");
    return withAdded(call,
                     productOf(call, asked ? asked : firstType({call.tensor(0u), call.tensor(1u), call.tensor(2u)})));
}

Answer gemm(const Call &call)
{
    const auto asked = call.dtype("dtype"); // an argument of GemmFloat8
    return withAdded(call, productOf(call, asked ? asked : call.dtypeOf(0u)));
}

Answer quantizedGemm(const Call &call)
{
    return withAdded(call, productOf(call, call.has(8u) ? call.dtypeOf(8u) : call.dtypeOf(1u)));
}

/// The cost of linear and Gemm: an added tensor costs one operation more per element.
Cost linearCost(const Call &call, std::span<const Fact> results)
{
    Cost cost = matmulCost(call, results);
    if (call.has(matrixProductArguments(call).added))
        cost.otherFlops = plus(cost.otherFlops, onePerResult(call, results).otherFlops);
    return cost;
}

/// Returns the shape of a product without its batch, over which it is summed.
Answer addbmm(const Call &call)
{
    Answer answer = addmm(call);
    const TensorFact *result = answer.facts.empty() ? nullptr : asTensor(answer.facts.front());
    if (!result || !result->shape || result->shape->size() != 3)
        return answer;
    return {tensorFact(result->dtype, ir::Shape{(*result->shape)[1], (*result->shape)[2]})};
}

Answer linear(const Call &call)
{
    const MatrixProductArguments given = matrixProductArguments(call);
    const auto dtype = firstType({call.tensor(given.a), call.tensor(given.b)});
    if (!call.shape(given.b))
        return onlyType(dtype, "weight shape unknown");
    return productOf(call, dtype);
}

/// outer, ger, addr: multiplies a column with a row.
template <std::size_t first>
Answer outer(const Call &call)
{
    std::array<const Fact *, 3> facts{};
    for (std::size_t i = 0; i < first + 2; ++i)
        facts[i] = &call[i];
    const auto dtype = resultType(std::span(facts).first(first + 2));
    const ir::Shape *a = call.shape(first), *b = call.shape(first + 1);
    if (!a || !b)
        return onlyType(dtype, "factor shape unknown");
    if (a->size() != 1 || b->size() != 1)
        return wrong(formatted("expected two vectors, found {} and {}", ir::print(*a), ir::print(*b)));
    return {tensorFact(dtype, ir::Shape{a->front(), b->front()})};
}

/// dot, vdot: returns a single number, whatever the sizes are.
Answer dot(const Call &call)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    if (a && b && (a->size() != 1 || b->size() != 1 || !call.needSame(a->front(), b->front())))
        return wrong(formatted("expected two vectors of one size, found {} and {}", ir::print(*a), ir::print(*b)));
    return {tensorFact(firstType({call.tensor(0u), call.tensor(1u)}), ir::Shape{})};
}

/// Sums products along the last dimension of both tensors.
Answer inner(const Call &call)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    const auto dtype = firstType({call.tensor(0u), call.tensor(1u)});
    if (!a || !b)
        return onlyType(dtype, "number of dimensions of a factor unknown");
    if (a->empty() || b->empty())
        return {tensorFact(dtype, a->empty() ? *b : *a)};
    if (!call.needSame(a->back(), b->back()))
        return wrong(formatted("the last sizes of {} and {} differ", ir::print(*a), ir::print(*b)));
    ir::Shape shape(a->begin(), a->end() - 1);
    shape.insert(shape.end(), b->begin(), b->end() - 1);
    return {tensorFact(dtype, std::move(shape))};
}

/// Counts a multiply-add for each pair of elements along the last dimensions; a number times a tensor sums nothing.
Cost innerCost(const Call &call, std::span<const Fact> results)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return {ir::UnknownDim{}};
    if (a->empty() || b->empty())
        return onePerResult(call, results);
    return {times({std::int64_t{2}, elementsOf(*a), product(std::span(*b).first(b->size() - 1))})};
}

Answer bilinear(const Call &call)
{
    const ir::Shape *input = call.shape(0u), *weight = call.shape(2u);
    const auto dtype = firstType({call.tensor(0u), call.tensor(1u), call.tensor(2u)});
    if (!input || input->empty() || !weight || weight->size() != 3)
        return onlyType(dtype, "shape of the input or the weight unknown");
    ir::Shape shape = *input;
    shape.back() = weight->front();
    return {tensorFact(dtype, std::move(shape))};
}

Cost bilinearCost(const Call &call, std::span<const Fact> results)
{
    const ir::Shape *weight = call.shape(2u);
    const Cost each = onePerResult(call, results);
    if (!weight || weight->size() != 3)
        return {std::int64_t{0}, ir::UnknownDim{}};
    return {std::int64_t{0}, times({std::int64_t{2}, each.otherFlops, (*weight)[1], (*weight)[2]})};
}

/// Multiplies three tensors, which get dimensions of size one, and sums the product.
Answer trilinear(const Call &call)
{
    const auto dtype = firstType({call.tensor(0u), call.tensor(1u), call.tensor(2u)});
    std::optional<ir::Shape> product = ir::Shape{};
    for (std::size_t i = 0; i < 3; ++i) {
        const ir::Shape *input = call.shape(i);
        const auto added = call.sizes(3 + i);
        if (!input || !added)
            return onlyType(dtype, "shape unknown");
        ir::Shape shape = *input;
        for (const ir::Dim &dim : *added) {
            const auto at = number(dim);
            if (!at || *at < 0 || *at > std::ssize(shape))
                return onlyType(dtype, "added dimensions unknown");
            shape.insert(shape.begin() + *at, std::int64_t{1});
        }
        product = product ? broadcast(call, *product, shape) : std::nullopt;
    }
    const auto summed = product ? axes(call["sumdim"], product->size()) : unknown("summed dimensions unknown");
    if (!summed)
        return {Facts{tensorFact(dtype)}, summed.error()};
    ir::Shape result;
    for (std::size_t i = 0; i < product->size(); ++i)
        if (!std::ranges::contains(*summed, i))
            result.push_back((*product)[i]);
    return {tensorFact(dtype, std::move(result))};
}

/// A product at the elements that a sparse matrix has; their number depends on data.
Answer sampled(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u);
    return tensor ? Answer{tensorFact(tensor->dtype, tensor->shape)} : unknown("matrix unknown");
}

Place placeOfSampled(const Call &, const TensorFact &, std::size_t) { return {.bytes = ir::UnknownDim{}}; }

// ---- einsum

struct EinsumCall {
    Result<Einsum> einsum;
    std::vector<const ir::Shape *> shapes;
    std::vector<std::int64_t> path;
    std::optional<ir::DType> dtype;
};

/// Returns einsum.sublist(a, [0, 1], b, [1, 2], [0, 2]) as an equation, and adds its tensors to `tensors`.
std::string sublistEquation(const Call &call, std::vector<const TensorFact *> &tensors)
{
    std::string equation;
    for (std::size_t i = 0; i < call.inputCount(); i += 2) {
        const bool isResult = i + 1 == call.inputCount();
        if (!isResult)
            tensors.push_back(call.tensor(i));
        const auto letters = call.sizes(isResult ? i : i + 1);
        equation.append(isResult ? "->" : i > 0 ? "," : "").append(letters ? einsumLetters(*letters) : "?");
    }
    return equation;
}

std::vector<const TensorFact *> inputTensors(const Call &call)
{
    std::vector<const TensorFact *> tensors;
    for (std::size_t i = 0; i < call.inputCount(); ++i)
        tensors.push_back(call.tensor(i));
    return tensors;
}

std::optional<EinsumCall> einsumCall(const Call &call)
{
    std::vector<const TensorFact *> tensors;
    std::string equation;
    if (call.overload() == "sublist")
        equation = sublistEquation(call, tensors);
    else if (auto given = call.isOnnx() ? std::optional(inputTensors(call)) : call.tensors("tensors")) {
        equation = call.text("equation");
        tensors = std::move(*given);
    }
    EinsumCall made{std::unexpected(Error{}), {}, {}, {}};
    for (const TensorFact *tensor : tensors) {
        if (!tensor || !tensor->shape)
            return std::nullopt;
        made.shapes.push_back(&*tensor->shape);
        made.dtype = made.dtype ? made.dtype : tensor->dtype;
    }
    if (made.shapes.empty())
        return std::nullopt;
    const auto path = call.sizes("path");
    for (const ir::Dim &position : path.value_or(std::vector<ir::Dim>{}))
        made.path.push_back(number(position).value_or(-1));
    made.einsum = readEinsum(equation, made.shapes);
    return made;
}

Answer einsum(const Call &call)
{
    const auto made = einsumCall(call);
    if (!made)
        return unknown("operand shape unknown");
    if (!made->einsum)
        return wrong(made->einsum.error().message);
    const bool sums = !call.isOnnx() && einsumWork(*made->einsum, made->shapes, made->path).sums;
    const bool isWhole = made->dtype && (ir::isInteger(*made->dtype) || made->dtype == ir::DType::Bool);
    return {tensorFact(sums && isWhole ? std::optional(ir::DType::Int64) : made->dtype, made->einsum->resultShape())};
}

Cost einsumCost(const Call &call, std::span<const Fact> results)
{
    const auto made = einsumCall(call);
    if (!made || !made->einsum)
        return {ir::UnknownDim{}};
    const ir::Dim flops = einsumWork(*made->einsum, made->shapes, made->path).flops;
    return number(flops) == 0 ? onePerResult(call, results) : Cost{flops};
}

// ---- tensordot, multi_dot

/// The sizes of the matrix product [rows, inner] × [inner, columns] that computes tensordot. If a dimension has size
/// 1 in one operand, the other operand is summed along it first.
struct Contracted {
    ir::Shape free; ///< the dimensions that are not summed over: the first operand's, then the second's
    ir::Dim inner = std::int64_t{1};
};

std::optional<Contracted> tensordotOf(const Call &call, std::string &trouble)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    const auto dimsA = call.sizes("dims_self"), dimsB = call.sizes("dims_other");
    trouble = "shapes or the dimensions to contract unknown";
    if (!a || !b || !dimsA || !dimsB || dimsA->size() != dimsB->size())
        return std::nullopt;
    std::vector<bool> takenA(a->size()), takenB(b->size());
    Contracted made;
    for (std::size_t i = 0; i < dimsA->size(); ++i) {
        const auto x = dimension(number((*dimsA)[i]).value_or(-1 - std::ssize(*a)), a->size());
        const auto y = dimension(number((*dimsB)[i]).value_or(-1 - std::ssize(*b)), b->size());
        if (!x || !y)
            return std::nullopt;
        takenA[*x] = takenB[*y] = true;
        if (!isOne((*a)[*x]) && !isOne((*b)[*y]))
            made.inner = times(made.inner, (*a)[*x]);
    }
    for (std::size_t i = 0; i < a->size(); ++i)
        if (!takenA[i])
            made.free.push_back((*a)[i]);
    for (std::size_t i = 0; i < b->size(); ++i)
        if (!takenB[i])
            made.free.push_back((*b)[i]);
    return made;
}

Answer tensordot(const Call &call)
{
    const auto dtype = firstType({call.tensor(0u), call.tensor(1u)});
    std::string trouble;
    auto made = tensordotOf(call, trouble);
    return made ? Answer{tensorFact(dtype, std::move(made->free))} : onlyType(dtype, std::move(trouble));
}

Cost tensordotCost(const Call &call, std::span<const Fact>)
{
    std::string trouble;
    const auto made = tensordotOf(call, trouble);
    if (!made)
        return {ir::UnknownDim{}};
    return {times({std::int64_t{2}, elementsOf(made->free), made->inner})};
}

/// Returns the shapes of a chain of matrices; a vector at the beginning is a row, at the end a column.
std::optional<std::vector<ir::Shape>> chainOf(const Call &call)
{
    const auto tensors = call.tensors(call.name() == "chain_matmul" ? "matrices" : "tensors");
    if (!tensors || tensors->empty())
        return std::nullopt;
    std::vector<ir::Shape> shapes;
    for (const TensorFact *tensor : *tensors) {
        if (!tensor || !tensor->shape || tensor->shape->empty() || tensor->shape->size() > 2)
            return std::nullopt;
        shapes.push_back(*tensor->shape);
    }
    return shapes;
}

Answer multiDot(const Call &call)
{
    auto shapes = chainOf(call);
    if (!shapes)
        return unknown("factor shape unknown");
    ir::Shape shape = std::move(shapes->front());
    for (std::size_t i = 1; i < shapes->size(); ++i) {
        auto next = productShape(call, shape, (*shapes)[i]);
        if (!next)
            return wrong(formatted("cannot multiply {} by {}", ir::print(shape), ir::print((*shapes)[i])));
        shape = std::move(*next);
    }
    const auto tensors = call.tensors(call.name() == "chain_matmul" ? "matrices" : "tensors");
    return {tensorFact(tensors->front()->dtype, std::move(shape))};
}

/// Returns twice the multiply-adds of a chain of matrices sizes[0] × sizes[1], sizes[1] × sizes[2], … in the best
/// order, by dynamic programming. Unknown for long chains, whose formulas would be unreadable.
ir::Dim fewestFlops(const std::vector<ir::Dim> &sizes)
{
    constexpr std::size_t maxChainLength = 64, maxFormulaLength = 4;
    const std::size_t count = sizes.size() - 1;
    const bool areNumbers = std::ranges::all_of(sizes, [](const ir::Dim &size) { return number(size).has_value(); });
    if (count > (areNumbers ? maxChainLength : maxFormulaLength))
        return ir::UnknownDim{};
    std::vector<ir::Dim> best(count * count, std::int64_t{0}); // the fewest FLOPs, by first and last matrix
    for (std::size_t length = 1; length < count; ++length)
        for (std::size_t a = 0, b = length; b < count; ++a, ++b)
            for (std::size_t k = a; k < b; ++k) {
                const ir::Dim last = times({std::int64_t{2}, sizes[a], sizes[k + 1], sizes[b + 1]});
                const ir::Dim all = plus(last, plus(best[a * count + k], best[(k + 1) * count + b]));
                best[a * count + b] = k == a ? all : minimum(best[a * count + b], all);
            }
    return best[count - 1];
}

/// Counts the order of products that PyTorch chooses; all of them are mm, even for vectors.
Cost multiDotCost(const Call &call, std::span<const Fact>)
{
    const auto shapes = chainOf(call);
    if (!shapes)
        return {ir::UnknownDim{}};
    const ir::Shape &first = shapes->front();
    std::vector<ir::Dim> sizes{first.size() == 1 ? ir::Dim(std::int64_t{1}) : first.front(), first.back()};
    for (std::size_t i = 1; i < shapes->size(); ++i)
        sizes.push_back((*shapes)[i].size() == 1 ? ir::Dim(std::int64_t{1}) : (*shapes)[i].back());
    return {fewestFlops(sizes)};
}

Answer kron(const Call &call)
{
    const std::array<const Fact *, 2> facts{&call[0u], &call[1u]};
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return onlyType(resultType(facts), "number of dimensions unknown");
    const ir::Shape &longer = a->size() > b->size() ? *a : *b, &shorter = a->size() > b->size() ? *b : *a;
    ir::Shape shape = longer;
    const std::size_t skipped = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i)
        shape[skipped + i] = times(shape[skipped + i], shorter[i]);
    return {tensorFact(resultType(facts), std::move(shape))};
}

/// A mixture of experts: each row is multiplied with the weights of k of them. QMoE packs several weights into a byte.
Cost expertsCost(const Call &call, std::span<const Fact>)
{
    const ir::Shape *input = call.shape(0u);
    const bool isPacked = call.name() == "QMoE";
    if (!input || input->empty())
        return {ir::UnknownDim{}};
    ir::Dim weights = zero; // the number of weights of one expert
    // Each of up to three matrices is followed by its scales, if it is packed, and its bias.
    const std::size_t step = isPacked ? 3 : 2;
    for (std::size_t i = 2; i < 2 + 3 * step; i += step) {
        const ir::Shape *matrices = call.shape(i);
        if (call.has(i) && (!matrices || matrices->size() != 3))
            return {ir::UnknownDim{}};
        if (matrices && call.has(i))
            weights = plus(weights, times((*matrices)[1], (*matrices)[2]));
    }
    const std::int64_t packed =
        isPacked ? 8 / std::clamp<std::int64_t>(call.integer("expert_weight_bits").value_or(4), 1, 8) : 1;
    const ir::Dim rows = product(std::span(*input).first(input->size() - 1));
    return {times({std::int64_t{2}, rows, call.size("k").value_or(one), weights, packed})};
}

constexpr Operator matrixProductRows[] = {
    Operator("aten::mm", Category::MatrixProduct, Pattern::Other, matmulOfRank<2>, matmulCost,
             {.kind = kind::matmul,
              .compute = compute::matmul,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::sparse_sampled_addmm", Category::MatrixProduct, Pattern::Other, sampled, unknownOther,
             {.place = placeOfSampled}),
    Operator("aten::_sparse_mm", Category::MatrixProduct, Pattern::Other, matmulOfRank<2>, uncounted<matmulCost>),
    Operator("aten::bmm", Category::MatrixProduct, Pattern::Other, matmulOfRank<3>, matmulCost,
             {.kind = kind::matmul,
              .compute = compute::matmul,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("quantized_decomposed::bmm", Category::MatrixProduct, Pattern::Other, matmulOfRank<3>, matmulCost,
             {.kind = kind::matmul}),
    Operator("aten::matmul=linalg_matmul _operator::matmul onnx::MatMul", Category::MatrixProduct, Pattern::Other,
             matmul, matmulCost,
             {.kind = kind::matmul,
              .compute = compute::matmul,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower,
              .parameters = {0, 1}}),
    Operator("aten::mv", Category::MatrixProduct, Pattern::Other, matmul, uncounted<matmulCost>,
             {.compute = compute::matmul, .formula = "matmul(self, vec)", .cudaAutocast = CastTo::Lower}),
    Operator(
        "aten::_int_mm", Category::MatrixProduct, Pattern::Other, intMatmul, matmulCost,
        {.compute = compute::matMulInteger, .formula = "mm(cast(self, dtype(result)), cast(mat2, dtype(result)))"}),
    Operator("aten::_scaled_mm aten::_scaled_mm_v2", Category::MatrixProduct, Pattern::Other, matmul, matmulCost),
    Operator(
        "aten::addmm", Category::MatrixProduct, Pattern::Other, addmm, matmulCost,
        {.kind = kind::gemm, .compute = compute::gemm, .cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Lower}),
    Operator("aten::_addmm_activation", Category::MatrixProduct, Pattern::Other, addmm, matmulCost,
             {.cpuAutocast = CastTo::Lower}),
    Operator("aten::baddbmm", Category::MatrixProduct, Pattern::Other, addmm, matmulCost,
             {.kind = kind::baddbmm,
              .compute = compute::gemm,
              .formula = "self * beta + bmm(batch1, batch2) * alpha if beta != 0 else bmm(batch1, batch2) * alpha",
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::addmv", Category::MatrixProduct, Pattern::Other, addmm, matmulCost,
             {.compute = compute::gemm,
              .formula = "self * beta + mv(mat, vec) * alpha if beta != 0 else mv(mat, vec) * alpha",
              .cudaAutocast = CastTo::Lower}),
    Operator(
        "aten::addbmm", Category::MatrixProduct, Pattern::Other, addbmm, uncounted<matmulCost>,
        {.compute = compute::batchProductSum,
         .formula =
             "self * beta + sum(bmm(batch1, batch2), 0) * alpha if beta != 0 else sum(bmm(batch1, batch2), 0) * alpha",
         .cpuAutocast = CastTo::Lower,
         .cudaAutocast = CastTo::Lower}),
    Operator(
        "aten::linear", Category::MatrixProduct, Pattern::Other, linear, linearCost,
        {.kind = kind::linear, .compute = compute::gemm, .cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Lower}),
    Operator("aten::mkldnn_linear mkldnn::_linear_pointwise", Category::MatrixProduct, Pattern::Other, linear,
             linearCost),
    Operator("aten::outer=ger", Category::MatrixProduct, Pattern::Other, outer<0>, onePerResult,
             {.compute = compute::outerProduct, .formula = "unsqueeze(self, 1) * vec2"}),
    Operator("aten::addr", Category::MatrixProduct, Pattern::Other, outer<1>, onePerResult,
             {.compute = compute::outerProductSum,
              .formula = "self * beta + outer(vec1, vec2) * alpha if beta != 0 else outer(vec1, vec2) * alpha",
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::dot", Category::MatrixProduct, Pattern::Other, dot, onePerArgument,
             {.compute = compute::matmul, .formula = "matmul(self, tensor)", .cudaAutocast = CastTo::Widest}),
    Operator("aten::vdot", Category::MatrixProduct, Pattern::Other, dot, onePerArgument,
             {.compute = compute::matmul,
              .formula = "matmul(self, other) if not isComplex(self)",
              .cudaAutocast = CastTo::Widest}),
    Operator("aten::inner", Category::MatrixProduct, Pattern::Other, inner, innerCost,
             {.formula =
                  "self * other if rank(self) == 0 or rank(other) == 0 else matmul(self, other) if rank(self) == "
                  "1 and rank(other) == 1 else tensordot(self, other, [-1], [-1])",
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Unknown}),
    Operator("aten::bilinear", Category::MatrixProduct, Pattern::Other, bilinear, bilinearCost,
             {.compute = compute::bilinear, .cudaAutocast = CastTo::Widest}),
    Operator("aten::_trilinear", Category::MatrixProduct, Pattern::Other, trilinear, onePerResult),
    Operator("aten::einsum", Category::MatrixProduct, Pattern::Other, einsum, einsumCost,
             {.compute = compute::einsum, .cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Lower}),
    Operator("onnx::Einsum", Category::MatrixProduct, Pattern::Other, einsum, einsumCost, {.compute = compute::einsum}),
    Operator("aten::tensordot", Category::MatrixProduct, Pattern::Other, tensordot, tensordotCost,
             {.compute = compute::tensorProduct, .cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Widest}),
    Operator("aten::chain_matmul aten::linalg_multi_dot", Category::MatrixProduct, Pattern::Other, multiDot,
             multiDotCost,
             {.compute = compute::chainProduct, .cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Lower}),
    Operator("aten::kron", Category::MatrixProduct, Pattern::Other, kron, onePerResult,
             {.compute = compute::kroneckerProduct}),
    Operator("onnx::MatMulInteger", Category::MatrixProduct, Pattern::Other, intMatmul, matmulCost,
             {.compute = compute::matMulInteger, .demand = demand::quantizedProduct, .parameters = {0, 1}}),
    Operator("com.microsoft::MatMulInteger16", Category::MatrixProduct, Pattern::Other, intMatmul, matmulCost,
             {.parameters = {0, 1}}),
    Operator("onnx::QLinearMatMul", Category::MatrixProduct, Pattern::Other, typedMatmul<7>, matmulCost,
             {.compute = compute::quantizedMatMul, .demand = demand::quantizedProduct, .parameters = {0, 3}}),
    Operator("com.microsoft::QOrderedMatMul", Category::MatrixProduct, Pattern::Other, typedMatmul<0>, matmulCost,
             {.parameters = {0, 2}}),
    Operator("com.microsoft::MatMulIntegerToFloat", Category::MatrixProduct, Pattern::Other, typedMatmul<2>, matmulCost,
             {.parameters = {0, 1, 6}}),
    Operator("onnx::Gemm", Category::MatrixProduct, Pattern::Other, gemm, linearCost,
             {.kind = kind::gemm, .compute = compute::gemm, .parameters = {1, 2}}),
    Operator("com.microsoft::FusedMatMul", Category::MatrixProduct, Pattern::Other, gemm, linearCost,
             {.compute = compute::gemm, .parameters = {0, 1}}),
    Operator("com.microsoft::FusedGemm com.microsoft::GemmFloat8 "
             "com.microsoft::FusedMatMulActivation com.microsoft::TransposeMatMul com.microsoft::GemmFastGelu "
             "com.microsoft::SparseToDenseMatMul",
             Category::MatrixProduct, Pattern::Other, gemm, linearCost, {.parameters = {1, 2}}),
    Operator("com.microsoft::QGemm", Category::MatrixProduct, Pattern::Other, quantizedGemm, matmulCost,
             {.parameters = {3, 6}}),
    Operator("com.microsoft::MatMulNBits com.microsoft::MatMulBnb4 com.microsoft::MatMulFpQ4", Category::MatrixProduct,
             Pattern::Other, packedMatmul, packedMatmulCost, {.parameters = {1, 2, 5}}),
    Operator("com.microsoft::MoE com.microsoft::QMoE", Category::MatrixProduct, Pattern::Other, likeFirst, expertsCost,
             {.parameters = {2, 3, 4, 5, 6, 7, 8, 9, 10}}),
    Operator("com.microsoft::DynamicQuantizeMatMul", Category::MatrixProduct, Pattern::Other, typedMatmul<0>,
             matmulCost, {.parameters = {1, 4}}),
    Operator("aten::_grouped_mm aten::_scaled_grouped_mm aten::_scaled_grouped_mm_v2", Category::MatrixProduct,
             Pattern::Other, groupedMatmul, groupedMatmulCost),
    Operator("aten::_sparse_semi_structured_linear", Category::MatrixProduct, Pattern::Other, semiSparseLinear,
             semiSparseLinearCost),
    Operator("aten::_sparse_semi_structured_mm aten::_sparse_semi_structured_addmm", Category::MatrixProduct,
             Pattern::Other, semiSparseMatmul, semiSparseMatmulCost),
    Operator("aten::_cslt_sparse_mm", Category::MatrixProduct, Pattern::Other, compressedMatmul, packedProductCost),
    Operator("aten::_mixed_dtypes_linear", Category::MatrixProduct, Pattern::Other, mixedLinear, packedProductCost),
    Operator("aten::_sparse_addmm aten::sspaddmm aten::smm aten::hspmm aten::_sparse_sparse_matmul",
             Category::MatrixProduct, Pattern::Other, nullptr, unknownFlops),
};

} // namespace

std::span<const Operator> matrixProductOperators() { return matrixProductRows; }

} // namespace cutaway::ops
