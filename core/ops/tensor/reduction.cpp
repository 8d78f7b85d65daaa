// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/reduction.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/special/rules.h"
#include "core/ops/torch/determinism.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

// ---- What is reduced

Shape withoutReduced(const Shape &input, const std::vector<bool> &reduced, bool keepDim)
{
    Shape output;
    for (std::size_t i = 0; i < input.size(); ++i)
        if (!reduced[i])
            output.push_back(input[i]);
        else if (keepDim)
            output.emplace_back(one);
    return output;
}

/// Returns the shape if only the number of axes is known.
std::optional<Shape> shapeOfUnknownAxes(const ReduceArguments &given, std::size_t rank)
{
    if (given.keepDim == true)
        return Shape(rank, ir::UnknownDim{});
    const auto &count = given.axisCount;
    if (!given.keepDim || !count || *count <= 0 || *count > static_cast<std::int64_t>(rank))
        return std::nullopt;
    return Shape(rank - static_cast<std::size_t>(*count), ir::UnknownDim{});
}

/// The shape of a reduction, of which parts may be unknown, and the reason why.
struct ReducedShape {
    std::optional<Shape> shape;
    std::optional<Doubt> doubt;

    bool isWrong() const { return doubt && doubt->kind == Doubt::Kind::Wrong; }
};

ReducedShape reducedShape(const Call &call)
{
    const ReduceArguments given = reduceArguments(call);
    const Shape *input = call.shape(given.input);
    if (!input) {
        if (given.axes && std::holds_alternative<ReduceArguments::AllAxes>(*given.axes) && given.keepDim == false)
            return {Shape{}, {}};
        return {std::nullopt, unknown("input rank unknown").error()};
    }
    const auto reduced = given.reducedDimensions(input->size());
    if (!reduced)
        return {shapeOfUnknownAxes(given, input->size()), reduced.error()};
    if (!given.keepDim)
        return {std::nullopt, unknown("keepdim unknown").error()};
    return {withoutReduced(*input, *reduced, *given.keepDim), {}};
}

// ---- Which dtype comes out

enum class ReducedType : std::uint8_t {
    Input,
    Accumulated, ///< int64 for integers and booleans; PyTorch's `dtype` decides
    Float,       ///< float32 for integers, the quantized dtype for quantized ones; PyTorch's `dtype` replaces it
    Real,        ///< like Float, but the dtype of the parts for complex numbers
    Boolean,
    Index,
    Word, ///< int32, or uint32 for uint8
};

bool isQuantized(DType dtype)
{
    const ir::ElementKind kind = ir::elementKind(dtype);
    return kind == ir::ElementKind::QuantizedUnsigned || kind == ir::ElementKind::QuantizedSigned;
}

std::optional<DType> ownDType(const Call &call, ReducedType result)
{
    const auto input = call.dtypeOf(0u);
    if (result == ReducedType::Index)
        return DType::Int64;
    if (input && result == ReducedType::Word)
        return *input == DType::UInt8 ? DType::UInt32 : DType::Int32;
    if (!input || result == ReducedType::Input || call.isOnnx())
        return input;
    switch (result) {
    case ReducedType::Accumulated:
        return isInteger(*input) || *input == ir::DType::Bool ? DType::Int64 : *input;
    case ReducedType::Float:
        return isQuantized(*input) ? *input : floatType(*input);
    case ReducedType::Real:
        return realType(floatType(*input));
    case ReducedType::Boolean:
        return *input == DType::UInt8 ? DType::UInt8 : DType::Bool;
    default:
        return input;
    }
}

std::optional<DType> reducedDType(const Call &call, ReducedType result)
{
    const bool isFree =
        result == ReducedType::Accumulated || result == ReducedType::Float || result == ReducedType::Real;
    const auto dtype = reduceArguments(call).dtype;
    if (!isFree || !dtype)
        return ownDType(call, result);
    if (!*dtype || result == ReducedType::Accumulated)
        return *dtype;
    return result == ReducedType::Real ? realType(floatType(**dtype)) : floatType(**dtype);
}

// ---- Rules

TensorFact *firstTensor(Facts &results)
{
    return results.empty() ? nullptr : std::get_if<TensorFact>(&results.front().v);
}

template <ReducedType... results>
Answer reduce(const Call &call)
{
    const ReducedShape reduced = reducedShape(call);
    if (reduced.isWrong())
        return {Facts(), reduced.doubt};
    return {Facts{tensorFact(reducedDType(call, results), reduced.shape)...}, reduced.doubt};
}

using Fold = Dim (*)(const Dim &, const Dim &);

/// Returns the elements of the argument, folded to one. Nothing if they are not known, or the result has several
/// elements.
Cow<std::vector<Dim>> foldedElements(const TensorFact &input, const TensorFact &result, Fold fold)
{
    if (!input.elements || input.elements->empty() || !result.shape || !isOne(elementsOf(*result.shape)))
        return nullptr;
    Dim folded = input.elements->front();
    for (std::size_t i = 1; i < input.elements->size(); ++i)
        folded = fold(folded, (*input.elements)[i]);
    return std::vector<Dim>(1, folded);
}

/// The fold of a list of numbers: "sum.int".
Facts foldedList(const SequenceFact &list, Fold fold)
{
    const NumberFact *first = list.each().empty() ? nullptr : list.each().front().as<NumberFact>();
    if (!first || first->kind != NumberFact::Kind::Int)
        return {first ? Fact(NumberFact{first->kind, {}}) : Fact()};
    if (!list.items())
        return {intFact()};
    Dim folded = asInt(list.each().front()).value_or(ir::UnknownDim{});
    for (std::size_t i = 1; i < list.each().size(); ++i)
        folded = fold(folded, asInt(list.each()[i]).value_or(ir::UnknownDim{}));
    return {intFact(std::move(folded))};
}

/// Reduces like reduce(), and computes the values of small integer tensors.
template <Fold fold, ReducedType result>
Answer track(const Call &call)
{
    if (const auto *list = call[0u].as<SequenceFact>())
        return foldedList(*list, fold);
    Answer answer = reduce<result>(call);
    const TensorFact *input = call.tensor(0u);
    if (TensorFact *reduced = firstTensor(answer.facts); reduced && input)
        reduced->elements = foldedElements(*input, *reduced, fold);
    return answer;
}

Dim either(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if ((x && *x != 0) || (y && *y != 0))
        return one;
    return x && y ? Dim(std::int64_t{0}) : Dim(ir::UnknownDim{});
}

Dim both(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if (x == 0 || y == 0)
        return std::int64_t{0};
    return x && y ? Dim(one) : Dim(ir::UnknownDim{});
}

template <Fold fold>
Answer anyOrAll(const Call &call)
{
    if (const auto *list = call[0u].as<SequenceFact>()) {
        Dim value = fold == &both ? one : std::int64_t{0};
        for (const Fact &item : list->each())
            value = fold(value, asInt(item).value_or(ir::UnknownDim{}));
        const auto known = !list->items() ? std::nullopt : number(value);
        return {boolFact(known ? std::optional(*known != 0) : std::nullopt)};
    }
    return track<fold, ReducedType::Boolean>(call);
}

/// max and min: of all elements, along a dimension with positions, or of two tensors.
template <Fold fold, Arithmetic arithmetic>
Answer extreme(const Call &call)
{
    if (call.has("other"))
        return binary<arithmetic>(call);
    if (call.has("dim"))
        return reduce<ReducedType::Input, ReducedType::Index>(call);
    return track<fold, ReducedType::Input>(call);
}

/// median: of all elements, or along a dimension with positions.
Answer median(const Call &call)
{
    return call.has("dim") ? reduce<ReducedType::Input, ReducedType::Index>(call) : reduce<ReducedType::Input>(call);
}

/// A matrix norm reduces the last two dimensions, unless others are given.
Answer matrixNorm(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (input && input->size() < 2)
        return wrong(formatted("a matrix norm of a tensor with {} dimensions", input->size()));
    if (!input || call.has("dim"))
        return reduce<ReducedType::Real>(call);
    std::vector<bool> last(input->size(), false);
    std::fill(last.end() - 2, last.end(), true);
    const auto keepDim = reduceArguments(call).keepDim;
    const auto shape = keepDim ? std::optional(withoutReduced(*input, last, *keepDim)) : std::nullopt;
    return {tensorFact(reducedDType(call, ReducedType::Real), shape)};
}

/// Returns one quantile, or a first dimension with one for each of `q`.
Answer quantile(const Call &call)
{
    auto [shape, doubt] = reducedShape(call);
    if (doubt && doubt->kind == Doubt::Kind::Wrong)
        return {Facts(), std::move(doubt)};
    if (const TensorFact *q = call.tensor("q")) {
        if (!q->shape)
            shape.reset();
        else if (shape && q->shape->size() == 1)
            shape->insert(shape->begin(), q->shape->front());
    }
    return {Facts{tensorFact(call.dtypeOf(0u), std::move(shape))}, std::move(doubt)};
}

Answer trace(const Call &call) { return {tensorFact(ownDType(call, ReducedType::Accumulated), Shape{})}; }

Answer distance(const Call &call)
{
    const Operands operands = operandsOf(call, 2);
    const auto common = dtypeOf(call, operands, ResultType::Float);
    return {tensorFact(common ? std::optional(realType(*common)) : std::nullopt, Shape{})};
}

/// Sums along dimensions so that the result has the requested size.
Answer sumToSize(const Call &call)
{
    const auto dtype = call.dtypeOf(0u), sum = ownDType(call, ReducedType::Accumulated);
    const Shape *input = call.shape(0u);
    auto size = call.sizes("size");
    const bool isSummed = input && size && (size->empty() || size->size() < input->size());
    const bool isSame = input && size && !size->empty() && *input == *size;
    return {tensorFact(isSummed || dtype == sum ? sum : isSame ? dtype : std::nullopt, std::move(size))};
}

Answer boolOfAll(const Call &) { return {tensorFact(DType::Bool, Shape{})}; }

// ---- Along a dimension that stays

Cow<std::vector<Dim>> runningSums(const TensorFact &input)
{
    if (!input.elements || !input.shape || input.shape->size() != 1)
        return nullptr;
    std::vector<Dim> sums;
    for (const Dim &element : *input.elements)
        sums.push_back(sums.empty() ? element : plus(sums.back(), element));
    return sums;
}

template <ReducedType result>
Answer cumulative(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    if (!input)
        return unknown("input shape unknown");
    if (call.integer("dim") && input->shape && !call.isOnnx())
        CUTAWAY_RETURN_IF_ERROR(axis(call["dim"], input->shape->size()));
    return {tensorFact(reducedDType(call, result), input->shape)};
}

Answer cumulativeSum(const Call &call)
{
    Answer answer = cumulative<ReducedType::Accumulated>(call);
    const TensorFact *input = call.tensor(0u);
    TensorFact *sums = firstTensor(answer.facts);
    const bool isPlain = !call.flag("exclusive").value_or(false) && !call.flag("reverse").value_or(false);
    if (sums && input && isPlain && sums->dtype && isInteger(*sums->dtype))
        sums->elements = runningSums(*input);
    return answer;
}

Answer cumulativeExtreme(const Call &call)
{
    Answer answer = cumulative<ReducedType::Input>(call);
    if (const TensorFact *values = firstTensor(answer.facts))
        answer.facts.push_back(tensorFact(DType::Int64, values->shape));
    return answer;
}

/// Returns the differences of neighbours, taken `n` times, of the tensor with other tensors put before and after it.
Answer differences(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto count = call.size("n");
    const auto along = input ? axis(call["dim"], input->size()) : unknown("input rank unknown");
    if (!along)
        return onlyDType(call, along.error());
    if (!count || input->empty())
        return onlyDType(call);
    Shape output = *input;
    for (const std::string_view name : {"prepend", "append"})
        if (call.has(name) && number(*count) != 0) {
            const Shape *more = call.shape(name);
            output[*along] =
                more && more->size() == input->size() ? plus(output[*along], (*more)[*along]) : Dim(ir::UnknownDim{});
        }
    output[*along] = maximum(minus(output[*along], *count), std::int64_t{0});
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// Returns a tensor like the input for each dimension.
Answer finiteDifferences(const Call &call)
{
    const TensorFact *input = call.tensor("self");
    if (!input || !input->shape)
        return unknown("input rank unknown");
    std::size_t count = input->shape->size();
    if (call.has("dim")) {
        const auto dims = call.sizes("dim");
        if (!dims)
            return unknown("dimensions unknown");
        count = dims->size();
    }
    return listed(call, std::vector<Fact>(count, tensorFact(ownDType(call, ReducedType::Float), input->shape)));
}

Answer trapezoid(const Call &call)
{
    const Shape *input = call.shape(0u);
    CUTAWAY_TRY(const auto along, input ? axis(call["dim"], input->size()) : unknown("input rank unknown"));
    if (input->empty())
        return unknown("input rank unknown");
    Shape output = *input;
    const bool isCumulative = call.name().starts_with("cumulative"), isEmpty = number(output[along]) == 0;
    if (!isCumulative)
        output.erase(output.begin() + static_cast<std::ptrdiff_t>(along));
    else if (!isEmpty)
        output[along] = minus(output[along], one);
    // An empty sum has the input's dtype, because nothing is divided.
    const ReducedType type = isEmpty && !isCumulative ? ReducedType::Input : ReducedType::Float;
    return {tensorFact(ownDType(call, type), std::move(output))};
}

/// Each row is a variable: the result is a square matrix of covariances, or a number for a single variable.
Answer covariance(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() > 2)
        return unknown("input rank unknown");
    const bool hasMany = input->size() == 2 && !isOne(input->front());
    const std::array<const Fact *, 2> facts{&call[0u], &call["aweights"]};
    auto dtype = call.has("aweights") ? resultType(facts) : call.dtypeOf(0u);
    if (dtype)
        dtype = floatType(*dtype);
    return {tensorFact(dtype, hasMany ? Shape{input->front(), input->front()} : Shape{})};
}

/// A tensor that already has the requested size is its own sum.
Place placeOfSum(const Call &call, const TensorFact &result, std::size_t index)
{
    const Shape *input = call.shape(0u);
    return input && result.shape && *input == *result.shape ? placeOfItself(call, result, index)
                                                            : placeLikeImage(call, result);
}

/// Counts the product of the matrix with its transpose, as PyTorch's counter does.
Cost covarianceCost(const Call &call, std::span<const Fact> results)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() > 2)
        return {ir::UnknownDim{}};
    const Dim rows = input->size() == 2 ? input->front() : Dim(one);
    return {times(times(rows, elementsOf(*input)), std::int64_t{2}), onePerArgument(call, results).otherFlops};
}

/// A digest of the reduced elements.
Answer hashed(const Call &call)
{
    auto [shape, doubt] = reducedShape(call);
    return {Facts{tensorFact(DType::UInt64, std::move(shape))}, std::move(doubt)};
}

/// com.microsoft: pairs of positions in two sequences, whose number depends on the data.
Answer warpedPath(const Call &call) { return {tensorFact(DType::Int32, Shape{std::int64_t{2}, call.freshSize()})}; }

constexpr Operator reductionRows[] = {
    Operator("aten::sum prims::sum onnx::ReduceSum", Category::Reduction, Pattern::Combining,
             track<plus, ReducedType::Accumulated>, onePerArgument,
             {.kind = kind::sum,
              .compute = compute::reduction<compute::sum>,
              .formula = "sum.dim_IntList(self, [] if dim is None else dim, dtype=dtype)",
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::nansum", Category::Reduction, Pattern::Combining, track<plus, ReducedType::Accumulated>,
             onePerArgument,
             {.formula = "sum(where(isnan(self), 0, self), [] if dim is None else dim, keepdim, dtype=dtype)"}),
    Operator("aten::prod prims::prod onnx::ReduceProd", Category::Reduction, Pattern::Combining,
             track<times, ReducedType::Accumulated>, onePerArgument,
             {.kind = kind::prod,
              .compute = compute::reduction<compute::product>,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator(
        "aten::mean onnx::ReduceMean", Category::Reduction, Pattern::Combining, reduce<ReducedType::Float>,
        onePerArgument,
        {.kind = kind::mean, .compute = compute::reduction<compute::mean>, .onQuantized = OnQuantized::RoundsAgain}),
    Operator("aten::nanmean", Category::Reduction, Pattern::Combining, reduce<ReducedType::Float>, onePerArgument,
             {.formula = "nansum(self, dim, keepdim, dtype=dtype) "
                         "/ sum(logical_not(isnan(self)), [] if dim is None else dim, keepdim)"}),
    Operator("onnx::ReduceL1", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>, onePerArgument,
             {.compute = compute::reduction<compute::sumOfAbsolutes>}),
    Operator("onnx::ReduceL2", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>, onePerArgument,
             {.compute = compute::reduction<compute::rootOfSumOfSquares>}),
    Operator("onnx::ReduceLogSum", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>, onePerArgument,
             {.compute = compute::reduction<compute::logOfSum>}),
    Operator("onnx::ReduceLogSumExp", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>,
             onePerArgument, {.compute = compute::reduction<compute::logOfSumOfExponentials>}),
    Operator("onnx::ReduceSumSquare", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>,
             onePerArgument, {.compute = compute::reduction<compute::sumOfSquares>}),
    Operator("com.microsoft::QLinearReduceMean", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input>,
             onePerArgument),
    Operator("com.microsoft::ReduceSumInteger", Category::Reduction, Pattern::Combining, reduce<ReducedType::Word>,
             onePerArgument),
    Operator("aten::amax prims::amax onnx::ReduceMax", Category::Reduction, Pattern::Combining,
             track<maximum, ReducedType::Input>, onePerArgument,
             {.kind = kind::amax, .compute = compute::reduction<compute::largest>}),
    Operator("aten::amin prims::amin onnx::ReduceMin", Category::Reduction, Pattern::Combining,
             track<minimum, ReducedType::Input>, onePerArgument,
             {.kind = kind::amin, .compute = compute::reduction<compute::smallest>}),
    Operator("prims::xor_sum", Category::Reduction, Pattern::Combining, reduce<ReducedType::Accumulated>,
             onePerArgument),
    Operator("aten::max", Category::Reduction, Pattern::Combining, extreme<maximum, Arithmetic::Maximum>,
             onePerArgument,
             {.compute = compute::largestWithPosition, .formula = "maximum(self, other) if isTensor(other)"}),
    Operator("aten::min", Category::Reduction, Pattern::Combining, extreme<minimum, Arithmetic::Minimum>,
             onePerArgument,
             {.compute = compute::smallestWithPosition, .formula = "minimum(self, other) if isTensor(other)"}),
    Operator("aten::aminmax aten::_aminmax", Category::Reduction, Pattern::Combining,
             reduce<ReducedType::Input, ReducedType::Input>, onePerArgument,
             {.compute = compute::smallestAndLargest,
              .formula = "dims = [] if dim is None else [dim]; amin(self, dims, keepdim), amax(self, dims, keepdim)"}),
    Operator("aten::all", Category::Reduction, Pattern::Combining, anyOrAll<both>, onePerArgument,
             {.compute = compute::reduction<compute::all>,
              .formula = "logical_not(any(logical_not(self)) if keepdim is None else any(logical_not(self), dim, "
                         "keepdim))"}),
    Operator("aten::any", Category::Reduction, Pattern::Combining, anyOrAll<either>, onePerArgument,
             {.compute = compute::reduction<compute::any>}),
    Operator("aten::argmax onnx::ArgMax", Category::Reduction, Pattern::Combining, reduce<ReducedType::Index>,
             onePerArgument, {.compute = compute::reduction<compute::positionOfLargest>}),
    Operator("aten::argmin onnx::ArgMin", Category::Reduction, Pattern::Combining, reduce<ReducedType::Index>,
             onePerArgument, {.compute = compute::reduction<compute::positionOfSmallest>}),
    Operator("aten::count_nonzero", Category::Reduction, Pattern::Combining, reduce<ReducedType::Index>, onePerArgument,
             {.compute = compute::reduction<compute::countOfNotZero>,
              .formula = "sum(self != 0, [] if dim is None else dim)"}),
    Operator("aten::median", Category::Reduction, Pattern::Combining, median, onePerArgument,
             {.compute = compute::median, .variesOnCuda = variesAlongDim}),
    Operator("aten::nanmedian", Category::Reduction, Pattern::Combining, median, onePerArgument,
             {.compute = compute::median}),
    Operator("aten::kthvalue", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input, ReducedType::Index>,
             onePerArgument, {.compute = compute::kthSmallest, .variesOnCuda = variesAlways}),
    Operator("aten::mode", Category::Reduction, Pattern::Combining, reduce<ReducedType::Input, ReducedType::Index>,
             onePerArgument),
    Operator("aten::var prims::var", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument,
             {.compute = compute::variance,
              .formula = "var.correction(self, dim, correction=0 if unbiased == False else correction, "
                         "keepdim=keepdim)"}),
    Operator("aten::std", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument,
             {.compute = compute::standardDeviation,
              .formula = "sqrt(var.correction(self, dim, correction=0 if unbiased == False else correction, "
                         "keepdim=keepdim))"}),
    Operator("aten::var_mean", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real, ReducedType::Input>,
             onePerArgument,
             {.compute = compute::meanWithVariance,
              .formula = "var.correction(self, dim, correction=0 if unbiased == False else correction, "
                         "keepdim=keepdim), mean.dim(self, dim, keepdim)"}),
    Operator("aten::std_mean", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real, ReducedType::Input>,
             onePerArgument,
             {.compute = compute::meanWithVariance,
              .formula = "sqrt(var.correction(self, dim, correction=0 if unbiased == False else correction, "
                         "keepdim=keepdim)), mean.dim(self, dim, keepdim)"}),
    Operator("aten::logsumexp=special_logsumexp", Category::Reduction, Pattern::Combining, reduce<ReducedType::Float>,
             onePerArgument,
             {.compute = compute::reduction<compute::logOfSumOfExponentials>,
              .formula =
                  "largest = amax(self, dim, True); finite = where(isinf(largest), 0, largest); log(sum(exp(self - "
                  "finite), dim, keepdim)) + (finite if keepdim else squeeze(finite, dim)) if isFloating(self)",
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::linalg_vector_norm", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>,
             onePerArgument,
             {.compute = compute::norm,
              .formula = "x = abs(self if dtype is None else cast(self, dtype)); dims = [] if dim is None else dim; "
                         "amax(x, dims, keepdim) if ord == inf else amin(x, dims, keepdim) if ord == -inf "
                         "else sum(x != 0, dims, keepdim) if ord == 0 else sum(x, dims, keepdim) if ord == 1 "
                         "else sqrt(sum(x * x, dims, keepdim)) if ord == 2 "
                         "else pow(sum(pow(x, ord), dims, keepdim), 1 / ord)",
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::norm", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument,
             {.compute = compute::norm,
              .formula = "linalg_vector_norm(self, 2 if p is None else p, dim, False if keepdim is None else keepdim, "
                         "dtype=dtype)",
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::linalg_norm", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument,
             {.cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::native_norm", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument),
    Operator("aten::frobenius_norm", Category::Reduction, Pattern::Combining, reduce<ReducedType::Real>, onePerArgument,
             {.formula = "linalg_vector_norm(self, 2, dim, False if keepdim is None else keepdim)",
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::linalg_matrix_norm", Category::Reduction, Pattern::Combining, matrixNorm, onePerArgument,
             {.compute = compute::matrixNorm, .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::nuclear_norm", Category::Reduction, Pattern::Combining, matrixNorm, onePerArgument,
             {.cudaAutocast = CastTo::Float32}),
    Operator("aten::quantile aten::nanquantile", Category::Reduction, Pattern::Combining, quantile, onePerArgument,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::sum_to_size aten::_grad_sum_to_size", Category::Reduction, Pattern::Combining, sumToSize,
             onePerArgument, {.place = placeOfSum}),
    Operator("aten::_is_all_true aten::_is_any_true", Category::Reduction, Pattern::Combining, boolOfAll,
             onePerArgument),
    Operator("aten::gradient", Category::Reduction, Pattern::Combining, finiteDifferences, onePerArgument),
    Operator("aten::trace", Category::Reduction, Pattern::Combining, trace, onePerArgument,
             {.compute = compute::traceOf, .formula = "sum(diagonal(self))", .cpuAutocast = CastTo::Float32}),
    Operator("aten::dist", Category::Reduction, Pattern::Combining, distance, onePerArgument,
             {.formula = "norm(self - other, p)", .cudaAutocast = CastTo::Float32}),
    Operator("aten::cumsum", Category::Reduction, Pattern::Combining, cumulativeSum, onePerResult,
             {.compute = compute::cumulativeSum,
              .variesOnCuda = variesOfFloats,
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("onnx::CumSum", Category::Reduction, Pattern::Combining, cumulativeSum, onePerResult,
             {.compute = compute::cumulativeSum, .demand = demand::axisNumber}),
    Operator("aten::cumprod", Category::Reduction, Pattern::Combining, cumulative<ReducedType::Accumulated>,
             onePerResult, {.compute = compute::cumulativeProduct, .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("onnx::CumProd", Category::Reduction, Pattern::Combining, cumulative<ReducedType::Accumulated>,
             onePerResult),
    Operator("aten::cummax aten::cummin", Category::Reduction, Pattern::Combining, cumulativeExtreme, onePerArgument,
             {.compute = compute::cumulativeExtreme}),
    Operator("aten::logcumsumexp aten::_logcumsumexp", Category::Reduction, Pattern::Combining,
             cumulative<ReducedType::Input>, onePerResult, {.compute = compute::cumulativeLogSumExp}),
    Operator("aten::diff", Category::Reduction, Pattern::Combining, differences, onePerResult),
    Operator("aten::trapezoid aten::trapz aten::cumulative_trapezoid", Category::Reduction, Pattern::Combining,
             trapezoid, onePerArgument),
    Operator("aten::hash_tensor", Category::Reduction, Pattern::Combining, hashed, onePerArgument),
    Operator("aten::cov aten::corrcoef", Category::Reduction, Pattern::Combining, covariance, covarianceCost,
             {.cpuAutocast = CastTo::Unknown, .cudaAutocast = CastTo::Unknown}),
    Operator("aten::_sparse_sum aten::linalg__powsum", Category::Reduction, Pattern::Combining),
    Operator("com.microsoft::DynamicTimeWarping", Category::Reduction, Pattern::Combining, warpedPath, unknownOther),
    Operator("onnx::Hardmax", Category::Activation, Pattern::AlongAxis, likeFirst, onePerResult,
             {.compute = compute::hardmax, .demand = demand::axis}),
};

} // namespace

std::span<const Operator> reductionOperators() { return reductionRows; }

} // namespace cutaway::ops
