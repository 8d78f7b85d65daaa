// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/creation.h"

#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/creation.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/special/rules.h"

#include "core/ops/elementwise.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::ops {

std::optional<ir::DType> dtypeOr(const Call &call, std::optional<ir::DType> fallback)
{
    return call.has("dtype") ? call.dtype("dtype") : fallback;
}

Answer created(const std::optional<std::vector<ir::Dim>> &sizes, std::optional<ir::DType> dtype, const ir::Dim &element)
{
    if (!sizes)
        return {Facts{tensorFact(dtype)}, unknown("sizes unknown")};
    if (std::ranges::any_of(*sizes, [](const ir::Dim &size) { return number(size).value_or(0) < 0; }))
        return wrong("a tensor cannot have the shape " + ir::print(*sizes));
    TensorFact result = tensorFact(dtype, sizes);
    const auto count = number(elementsOf(*sizes));
    const bool isFollowed = dtype && (isInteger(*dtype) || *dtype == ir::DType::Bool) && isKnown(element);
    if (isFollowed && count && *count <= static_cast<std::int64_t>(maxTrackedElements))
        result.elements = std::vector<ir::Dim>(static_cast<std::size_t>(*count), element);
    return {std::move(result)};
}

std::optional<std::vector<ir::Dim>> sizesIn(const TensorFact *tensor)
{
    if (!tensor)
        return std::nullopt;
    if (tensor->elements)
        return asInts(*tensor);
    const auto rank = tensor->shape && tensor->shape->size() == 1 ? number(tensor->shape->front()) : std::nullopt;
    constexpr std::int64_t highestRank = 64; // no library has tensors of a higher rank
    if (!rank || *rank < 0 || *rank > highestRank)
        return std::nullopt;
    return std::vector<ir::Dim>(static_cast<std::size_t>(*rank), ir::UnknownDim{});
}

namespace {

using ir::DType;
using Sizes = std::vector<ir::Dim>;

constexpr std::int64_t maxStride = std::int64_t{1} << 62; // a smaller stride or offset can be negated without overflow

template <std::int64_t element>
Answer filled(const Call &call)
{
    return created(call.sizes("size"), dtypeOr(call, DType::Float32), element);
}

/// Returns the sizes, which prims' operators call "shape".
std::optional<Sizes> sizesGiven(const Call &call) { return asInts(call.any({"size", "shape"})); }

Answer uninitialized(const Call &call) { return created(sizesGiven(call), dtypeOr(call, DType::Float32)); }

/// Returns the dtype of a tensor that PyTorch makes of this number.
std::optional<DType> dtypeOfNumber(const Fact &value)
{
    const std::array operands{&value};
    return asTensor(value) || asNumber(value) ? resultType(operands) : std::nullopt;
}

ir::Dim wholeValue(const Fact &value) { return asInt(value).value_or(ir::UnknownDim{}); }

Answer full(const Call &call)
{
    const Fact &value = call["fill_value"];
    return created(sizesGiven(call), dtypeOr(call, dtypeOfNumber(value)), wholeValue(value));
}

Answer newFull(const Call &call)
{
    return created(call.sizes("size"), dtypeOr(call, call.dtypeOf(0u)), wholeValue(call["fill_value"]));
}

template <std::int64_t element>
Answer newFilled(const Call &call)
{
    return created(call.sizes("size"), dtypeOr(call, call.dtypeOf(0u)), element);
}

Answer newUninitialized(const Call &call) { return created(call.sizes("size"), dtypeOr(call, call.dtypeOf(0u))); }

/// Returns new memory that extends to the last element that the given strides reach.
Place placeOfStrides(const Call &call, const TensorFact &result, std::size_t)
{
    const auto strides = asInts(call.any({"stride", "strides"}));
    if (!strides || !result.shape || strides->size() != result.shape->size())
        return {.bytes = ir::UnknownDim{}};
    ir::Dim elements = one;
    for (std::size_t i = 0; i < strides->size(); ++i)
        elements = plus(elements, times(minus((*result.shape)[i], one), (*strides)[i]));
    if (number(elementsOf(*result.shape)) == 0)
        elements = zero;
    return {nullptr, ops::normal(*result.shape, Strides(strides->begin(), strides->end())),
            bytesOf(tensorFact(result.dtype, ir::Shape{std::move(elements)}))};
}

std::optional<Sizes> shapeOfFirst(const Call &call)
{
    const ir::Shape *shape = call.shape(0u);
    return shape ? std::optional(*shape) : std::nullopt;
}

template <std::int64_t element>
Answer filledLike(const Call &call)
{
    return created(shapeOfFirst(call), dtypeOr(call, call.dtypeOf(0u)), element);
}

Answer fullLike(const Call &call)
{
    return created(shapeOfFirst(call), dtypeOr(call, call.dtypeOf(0u)), wholeValue(call["fill_value"]));
}

Answer uninitializedLike(const Call &call) { return created(shapeOfFirst(call), dtypeOr(call, call.dtypeOf(0u))); }

// Operators that make rows of numbers.

/// Returns stepsBetween() for integers and sizes; nothing if it cannot be computed.
std::optional<ir::Dim> integerSteps(const ir::Dim &from, const ir::Dim &to, const ir::Dim &by)
{
    const auto stride = number(by);
    if (!stride)
        return isKnown(by) && isNonNegative(by)
            // The step is not zero, so cancelling a common factor is allowed.
            ? std::optional(quotientRoundedUp(minus(to, from), by))
            : std::nullopt;
    if (*stride == 0 || *stride <= -maxStride)
        return std::nullopt;
    const ir::Dim distance = *stride > 0 ? minus(to, from) : minus(from, to);
    const ir::Dim count = ceilDivide(distance, std::abs(*stride));
    return number(count) ? maximum(count, std::int64_t{0}) : count;
}

/// Returns the number of steps from start to before end.
ir::Dim stepsBetween(const Fact &start, const Fact &end, const Fact &step)
{
    const auto from = asInt(start), to = asInt(end), by = asInt(step);
    if (const auto steps = from && to && by ? integerSteps(*from, *to, *by) : std::nullopt)
        return *steps;
    const auto first = asFloat(start), last = asFloat(end), width = asFloat(step);
    if (!first || !last || !width || *width == 0)
        return ir::UnknownDim{};
    const double count = std::ceil((*last - *first) / *width);
    constexpr double most = 0x1p53;
    return count < most ? ir::Dim(static_cast<std::int64_t>(std::max(count, 0.0))) : ir::Dim(ir::UnknownDim{});
}

/// Returns start, start + step, …
std::optional<Sizes> progression(const ir::Dim &start, const ir::Dim &step, const ir::Dim &count)
{
    const auto length = number(count);
    if (!length || *length < 0 || *length > static_cast<std::int64_t>(maxTrackedElements) || !isKnown(start)
        || !isKnown(step))
        return std::nullopt;
    Sizes elements;
    for (std::int64_t i = 0; i < *length; ++i)
        elements.push_back(plus(start, times(step, i)));
    return elements;
}

Facts rangeOf(const Fact &start, const Fact &step, const ir::Dim &count, std::optional<DType> dtype)
{
    if (dtype && isInteger(*dtype))
        if (auto elements = progression(wholeValue(start), wholeValue(step), count))
            return {vectorTensor(*dtype, std::move(*elements))};
    return {tensorFact(dtype, ir::Shape{count})};
}

/// Returns a float truncated to an integer.
Fact cut(const Fact &fact)
{
    const auto value = asInt(fact) ? std::nullopt : asFloat(fact);
    return value && std::abs(*value) < 0x1p53 ? Fact(intFact(static_cast<std::int64_t>(*value))) : fact;
}

/// For a result of 64-bit integers, start, end and step are truncated before the numbers are counted; for narrower
/// integers they are not.
Answer arange(const Call &call)
{
    Fact start = call.has("start") ? call["start"] : intFact(std::int64_t{0});
    Fact step = call.has("step") ? call["step"] : intFact(std::int64_t{1});
    Fact end = call["end"];
    const std::array<const Fact *, 3> numbers{&start, &end, &step};
    const auto dtype = dtypeOr(call, resultType(numbers));
    if (dtype == DType::Int64)
        for (Fact *number : {&start, &end, &step})
            *number = cut(*number);
    return rangeOf(start, step, stepsBetween(start, end, step), dtype);
}

/// torch.range includes its end.
Answer closedRange(const Call &call)
{
    const auto start = call.floating("start"), end = call.floating("end");
    const auto step = call.has("step") ? call.floating("step") : 1.0;
    ir::Dim count = ir::UnknownDim{};
    if (start && end && step && *step != 0 && std::abs((*end - *start) / *step) < 0x1p53)
        count = static_cast<std::int64_t>(std::floor((*end - *start) / *step)) + 1;
    return {tensorFact(dtypeOr(call, DType::Float32), ir::Shape{count})};
}

Answer onnxRange(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    ir::Dim count = stepsBetween(call[0u], call[1u], call[2u]);
    const auto isOfData = [&](std::size_t i) { return call.tensor(i) && !call.tensor(i)->elements; };
    if (!isKnown(count) && dtype && isInteger(*dtype) && (isOfData(0) || isOfData(1) || isOfData(2)))
        count = call.freshSize();
    return rangeOf(call[0u], call[2u], count, dtype);
}

Answer linspace(const Call &call)
{
    return created(Sizes{call.size("steps").value_or(ir::UnknownDim{})}, dtypeOr(call, DType::Float32));
}

Answer iota(const Call &call)
{
    return rangeOf(call["start"], call["step"], call.size(0u).value_or(ir::UnknownDim{}), dtypeOr(call, DType::Int64));
}

// Operators that make matrices.

Answer eye(const Call &call)
{
    const ir::Dim rows = call.size("n").value_or(ir::UnknownDim{});
    const ir::Dim columns = call.has("m") ? call.size("m").value_or(ir::UnknownDim{}) : rows;
    return created(Sizes{rows, columns}, dtypeOr(call, DType::Float32));
}

/// Returns the number of elements on and below the diagonal `offset`: row i has i + offset + 1 of them, but no less
/// than 0 and no more than `columns`.
ir::Dim lowerElements(const ir::Dim &rows, const ir::Dim &columns, std::int64_t offset)
{
    const auto upTo = [&](const ir::Dim &k) -> ir::Dim { // the sum 1 + 2 + … + k, each term limited to `columns`
        const ir::Dim inside = maximum(minimum(k, columns), std::int64_t{0});
        const ir::Dim triangle = floorDivide(times(inside, plus(inside, std::int64_t{1})), std::int64_t{2});
        return plus(triangle, times(columns, maximum(minus(k, columns), std::int64_t{0})));
    };
    return minus(upTo(plus(rows, offset)), upTo(offset));
}

template <bool isUpper>
Answer triangleIndices(const Call &call)
{
    const auto rows = call.size("row"), columns = call.size("col");
    const auto offset = call.integer("offset");
    ir::Dim count = ir::UnknownDim{};
    if (rows && columns && offset && std::abs(*offset) < maxStride)
        count = isUpper ? minus(times(*rows, *columns), lowerElements(*rows, *columns, *offset - 1))
                        : lowerElements(*rows, *columns, *offset);
    return created(Sizes{std::int64_t{2}, count}, dtypeOr(call, DType::Int64));
}

// Tensors made of Python's lists.

/// Visits nested lists: finds their lengths, and the innermost items.
struct Nested {
    ir::Shape shape;
    Fact leaf;
    Sizes elements;
    bool isRagged = false;

    void add(const Fact &fact, std::size_t depth)
    {
        const auto *list = fact.as<SequenceFact>();
        if (!list || depth >= deepest) {
            leaf = elements.empty() ? fact : common(leaf, fact);
            isRagged = isRagged || depth != shape.size() || elements.size() >= maxElements;
            elements.push_back(asNumber(fact) ? elementOf(*asNumber(fact)) : ir::UnknownDim{});
            return;
        }
        const ir::Dim length = list->length();
        if (depth == shape.size() && elements.empty())
            shape.push_back(length);
        isRagged = isRagged || depth >= shape.size() || isDifferent(shape[depth], length);
        for (const Fact &item : list->each())
            if (!isRagged)
                add(item, depth + 1);
    }

    static Fact common(const Fact &a, const Fact &b)
    {
        const NumberFact *x = asNumber(a), *y = asNumber(b);
        return x && y && x->kind != y->kind ? NumberFact{commonKind(x->kind, y->kind), {}} : join(a, b);
    }

    static constexpr std::size_t deepest = 16, maxElements = 1 << 20;
};

Answer tensorOf(const Call &call)
{
    if (const TensorFact *tensor = call.tensor(0u))
        return elementwise(call, std::array{&call[0u]}, dtypeOr(call, tensor->dtype));
    Nested nested;
    nested.add(call[0u], 0);
    if (nested.isRagged || nested.leaf.as<AnyFact>())
        return unknown("list's items unknown");
    TensorFact result = tensorFact(dtypeOr(call, dtypeOfNumber(nested.leaf)), nested.shape);
    const bool isFollowed = result.dtype == DType::Int64 || result.dtype == DType::Float32;
    if (isFollowed && nested.elements.size() <= maxTrackedElements
        && number(elementsOf(*result.shape)) == static_cast<std::int64_t>(nested.elements.size())) {
        if (result.dtype == DType::Float32)
            std::ranges::transform(nested.elements, nested.elements.begin(), inSinglePrecision);
        result.elements = std::move(nested.elements);
    }
    return {std::move(result)};
}

Answer scalarTensorOf(const Call &call)
{
    return created(Sizes{}, dtypeOr(call, DType::Float32), wholeValue(call[0u]));
}

// ONNX's operators.

TensorFact vectorOfFloats(const SequenceFact &list)
{
    Sizes elements;
    for (const Fact &item : list.each())
        elements.push_back(asNumber(item) ? inSinglePrecision(elementOf(*asNumber(item))) : ir::UnknownDim{});
    return vectorTensor(DType::Float32, std::move(elements));
}

TensorFact vectorOfTexts(const SequenceFact &list)
{
    std::vector<std::string> texts;
    for (const Fact &item : list.each())
        if (const auto *text = item.as<TextFact>())
            texts.push_back(text->text);
    return textTensor(ir::Shape{std::ssize(list.each())}, std::move(texts));
}

Answer constant(const Call &call)
{
    if (call.has("value"))
        return {call["value"]};
    if (call.has("value_int"))
        return {scalarTensor(DType::Int64, call.size("value_int").value_or(ir::UnknownDim{}))};
    if (auto integers = call.sizes("value_ints"))
        return {vectorTensor(DType::Int64, std::move(*integers))};
    if (const NumberFact *number = asNumber(call["value_float"]))
        return {scalarTensor(DType::Float32, inSinglePrecision(elementOf(*number)))};
    if (call.has("value_string"))
        return {textTensor(ir::Shape{}, {std::string(call.text("value_string"))})};
    if (const auto *list = call["value_floats"].as<SequenceFact>())
        return {vectorOfFloats(*list)};
    if (const auto *list = call["value_strings"].as<SequenceFact>())
        return {vectorOfTexts(*list)};
    return unknown("constant's kind unknown");
}

Answer constantOfShape(const Call &call)
{
    const TensorFact *value = call.tensor("value");
    const ir::Dim element = value ? wholeValue(*value) : ir::Dim(std::int64_t{0});
    const auto dtype = call.has("value") ? value ? value->dtype : std::nullopt : std::optional(DType::Float32);
    return created(sizesIn(call.tensor(0u)), dtype, element);
}

constexpr Operator creationRows[] = {
    Operator("aten::zeros", Category::Creation, Pattern::Creating, filled<0>, nullptr,
             {.compute = compute::filledWith<0>}),
    Operator("aten::_efficientzerotensor", Category::Creation, Pattern::Creating, filled<0>),
    Operator("aten::ones", Category::Creation, Pattern::Creating, filled<1>, nullptr,
             {.compute = compute::filledWith<1>}),
    Operator("aten::full prims::full", Category::Creation, Pattern::Creating, full, nullptr,
             {.compute = compute::filledWithArgument<1>}),
    Operator("aten::empty aten::empty_permuted prims::empty prims::empty_permuted", Category::Creation,
             Pattern::Creating, uninitialized, nullptr, {.uninitialized = true}),
    Operator("aten::empty_strided prims::empty_strided", Category::Creation, Pattern::Creating, uninitialized, nullptr,
             {.place = placeOfStrides, .uninitialized = true}),
    Operator("aten::new_zeros", Category::Creation, Pattern::Creating, newFilled<0>, nullptr,
             {.compute = compute::filledWith<0>}),
    Operator("aten::new_ones", Category::Creation, Pattern::Creating, newFilled<1>, nullptr,
             {.compute = compute::filledWith<1>}),
    Operator("aten::new_full", Category::Creation, Pattern::Creating, newFull, nullptr,
             {.compute = compute::filledWithArgument<2>}),
    Operator("aten::new_empty", Category::Creation, Pattern::Creating, newUninitialized, nullptr,
             {.compute = compute::uninitialized, .uninitialized = true}),
    Operator("aten::new_empty_strided", Category::Creation, Pattern::Creating, newUninitialized, nullptr,
             {.place = placeOfStrides, .uninitialized = true}),
    Operator("aten::zeros_like", Category::Creation, Pattern::Creating, filledLike<0>, nullptr,
             {.compute = compute::filledWith<0>}),
    Operator("aten::ones_like", Category::Creation, Pattern::Creating, filledLike<1>, nullptr,
             {.compute = compute::filledWith<1>}),
    Operator("aten::full_like prims::full_like", Category::Creation, Pattern::Creating, fullLike, nullptr,
             {.compute = compute::filledWithArgument<1>}),
    Operator("onnx::EyeLike", Category::Creation, Pattern::Creating, uninitializedLike, nullptr,
             {.compute = compute::identityMatrix}),
    Operator("aten::empty_like", Category::Creation, Pattern::Creating, uninitializedLike, nullptr,
             {.compute = compute::uninitialized, .uninitialized = true}),
    Operator("aten::zero", Category::Creation, Pattern::Creating, likeFirst, nullptr,
             {.compute = compute::filledWith<0>, .keepsDType = true}),
    Operator("aten::fill prims::fill", Category::Creation, Pattern::Creating, likeFirst, nullptr,
             {.compute = compute::filledWithArgument<1>,
              .formula = "clone(expand(cast(value, dtype(self)), shape(self))) if isTensor(value) "
                         "else refused('it is filled with a number')",
              .keepsDType = true}),

    Operator("aten::arange", Category::Creation, Pattern::Creating, arange, nullptr,
             {.kind = kind::arange, .compute = compute::arange}),
    Operator("prims::arange", Category::Creation, Pattern::Creating, nullptr, nullptr, {.kind = kind::arange}),
    Operator("aten::from_file aten::_dim_arange", Category::Creation, Pattern::Creating),
    Operator("aten::range", Category::Creation, Pattern::Creating, closedRange),
    Operator("onnx::Range", Category::Creation, Pattern::Creating, onnxRange, nullptr,
             {.kind = kind::arange, .compute = compute::arange, .demand = demand::steps}),
    Operator("com.microsoft::Range", Category::Creation, Pattern::Creating, onnxRange),
    Operator("prims::iota", Category::Creation, Pattern::Creating, iota),
    Operator("aten::linspace aten::logspace", Category::Creation, Pattern::Creating, linspace, onePerResult,
             {.compute = compute::evenlySpaced}),
    Operator("aten::eye", Category::Creation, Pattern::Creating, eye, nullptr, {.compute = compute::identityMatrix}),
    Operator("aten::tril_indices", Category::Creation, Pattern::Creating, triangleIndices<false>),
    Operator("aten::triu_indices", Category::Creation, Pattern::Creating, triangleIndices<true>),

    Operator("aten::tensor", Category::Creation, Pattern::Creating, tensorOf, nullptr, {.compute = compute::ofNumber}),
    Operator("aten::as_tensor", Category::Creation, Pattern::Creating, tensorOf, nullptr,
             {.compute = compute::ofNumber, .place = placeOfConversion}),
    Operator("aten::scalar_tensor prims::scalar_tensor", Category::Creation, Pattern::Creating, scalarTensorOf, nullptr,
             {.compute = compute::filledWithArgument<0>}),
    Operator("onnx::Constant", Category::Creation, Pattern::Creating, constant, nullptr,
             {.kind = kind::constant, .compute = compute::constant}),
    Operator("onnx::ConstantOfShape", Category::Creation, Pattern::Creating, constantOfShape, nullptr,
             {.compute = compute::constantOfShape}),
    Operator("onnx::GivenTensorFill prim::ConstantMKLDNNTensor prim::Uninitialized", Category::Creation,
             Pattern::Creating),
    Operator("prim::Constant", Category::Creation, Pattern::Creating, nullptr, nullptr, {.kind = kind::constant}),

    Operator("aten::_pin_memory aten::to_dense aten::_to_dense aten::to_mkldnn aten::requires_grad prims::device_put "
             "prims::inductor_force_stride_order",
             Category::ShapeView, Pattern::Moving, identity, nullptr, {.place = placeOfItself}),
};

} // namespace

std::span<const Operator> creationOperators() { return creationRows; }

} // namespace cutaway::ops
