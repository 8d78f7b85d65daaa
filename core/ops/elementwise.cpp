// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/elementwise.h"

#include "core/base/formatted.h"
#include "core/ops/broadcasting.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using Elements = std::vector<Dim>;

/// Returns the operand's elements in a larger shape that it is broadcast to.
std::optional<Elements> spreadElements(const Fact &operand, const ir::Shape &into, std::size_t count)
{
    const TensorFact *tensor = asTensor(operand);
    if (!tensor)
        return asNumber(operand) ? std::optional(Elements(count, elementOf(*asNumber(operand)))) : std::nullopt;
    const auto sizes = tensor->elements && tensor->shape ? numbers(*tensor->shape) : std::nullopt;
    // The operand may not fit: an in-place operator keeps the first one's shape.
    if (!sizes || sizes->size() > into.size())
        return std::nullopt;
    Numbers strides = denseStrides(*sizes);
    for (std::size_t i = 0; i < sizes->size(); ++i)
        strides[i] = (*sizes)[i] == 1 ? 0 : strides[i];
    strides.insert(strides.begin(), into.size() - sizes->size(), 0);
    const TensorFact result = strided(*tensor, into, strides);
    return result.elements ? std::optional(*result.elements) : std::nullopt;
}

bool isFollowed(ir::DType dtype)
{
    return isInteger(dtype) || dtype == ir::DType::Bool || dtype == ir::DType::Float32 || dtype == ir::DType::Float64;
}

/// Returns a computed element as its dtype holds it: floats are rounded, integers that are too large wrap around.
Dim heldBy(ir::DType dtype, const Dim &element)
{
    if (dtype == ir::DType::Float32)
        return inSinglePrecision(element);
    const auto value = isInteger(dtype) ? number(element) : std::nullopt;
    if (!value)
        return element;
    const bool isUnsigned = ir::name(dtype).starts_with('u');
    const int bits = ir::bitWidth(dtype).value();
    if (bits == 64)
        return isUnsigned && *value < 0 ? Dim(ir::UnknownDim{}) : element;
    const std::int64_t range = std::int64_t{1} << bits;
    const std::int64_t wrapped = *value & (range - 1);
    return !isUnsigned && wrapped >= range / 2 ? wrapped - range : wrapped;
}

Cow<Elements> elementsOfResult(std::span<const Fact *const> operands, const ir::Shape &shape, ir::DType dtype,
                               const ElementRule &element)
{
    const auto count = number(elementsOf(shape));
    if (!count || *count < 0 || *count > static_cast<std::int64_t>(maxTrackedElements))
        return nullptr;
    std::vector<Elements> columns;
    for (const Fact *operand : operands) {
        auto column = spreadElements(*operand, shape, static_cast<std::size_t>(*count));
        if (!column)
            return nullptr;
        columns.push_back(std::move(*column));
    }
    Elements result, row(columns.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        for (std::size_t c = 0; c < columns.size(); ++c)
            row[c] = columns[c][i];
        result.push_back(heldBy(dtype, element(row)));
    }
    return result; // even with unknown elements: the result is known to hold sizes, not data
}

/// Whether ONNX before opset 7 stretches the second operand to the first one's shape, from an axis on.
bool isStretchedToFirst(const Call &call)
{
    return call.isOnnx() && call.has("axis") && call.integer("broadcast") == 1;
}

/// Returns the shape that the operands are broadcast to; a doubt if a rank is not known or they do not fit.
OrDoubt<Cow<ir::Shape>> commonShape(const Call &call, std::span<const Fact *const> operands)
{
    if (isStretchedToFirst(call))
        operands = operands.first(1);
    Cow<ir::Shape> common;
    for (const Fact *operand : operands) {
        const TensorFact *tensor = asTensor(*operand);
        if (!tensor && asNumber(*operand))
            continue;
        if (!tensor || !tensor->shape)
            return unknown("operand rank unknown");
        if (!common)
            common = tensor->shape;
        if (common == tensor->shape)
            continue;
        auto wider = broadcast(call, *common, *tensor->shape);
        if (!wider)
            return wrong(formatted("cannot broadcast {} with {}", ir::print(*common), ir::print(*tensor->shape)));
        common = std::move(wider);
    }
    return common ? common : ir::Shape{};
}

std::optional<ir::DType> firstKnownDType(std::span<const Fact *const> operands)
{
    for (const Fact *operand : operands)
        if (const TensorFact *tensor = asTensor(*operand); tensor && tensor->dtype)
            return tensor->dtype;
    return std::nullopt;
}

NumberFact::Kind numberKind(NumberFact::Kind common, ResultType result)
{
    if (result == ResultType::Boolean)
        return NumberFact::Kind::Bool;
    return result == ResultType::Float && common == NumberFact::Kind::Int ? NumberFact::Kind::Float : common;
}

/// Returns the logical operator that a bitwise operator computes for Booleans.
std::optional<Arithmetic> logicOf(Arithmetic op)
{
    switch (op) {
    case Arithmetic::BitAnd:
        return Arithmetic::LogicalAnd;
    case Arithmetic::BitOr:
        return Arithmetic::LogicalOr;
    case Arithmetic::BitXor:
        return Arithmetic::LogicalXor;
    default:
        return std::nullopt;
    }
}

/// Returns the kind of number that an overload's name implies: "float_int" has a float argument.
NumberFact::Kind kindOfOverload(std::string_view overload)
{
    using enum NumberFact::Kind;
    if (overload.contains("complex"))
        return Complex;
    if (overload.contains("float"))
        return Float;
    return overload.contains("int") || overload.contains("bool") ? Int : Number;
}

NumberFact computeNumber(const Call &call, Arithmetic op, const NumberFact *a, const NumberFact *b, ResultType result)
{
    if (!a || !b)
        return {numberKind(kindOfOverload(call.overload()), result), {}};
    const bool areBooleans = a->kind == NumberFact::Kind::Bool && b->kind == NumberFact::Kind::Bool;
    if (const auto logic = logicOf(op); logic && areBooleans)
        return compute(*logic, *a, *b, NumberFact::Kind::Bool);
    return compute(op, *a, *b, numberKind(commonKind(a->kind, b->kind), result));
}

} // namespace

Operands operandsOf(const Call &call, std::size_t count)
{
    Operands operands;
    for (std::size_t i = 0; i < (count == 0 ? call.inputCount() : count); ++i)
        if (const Fact &operand = call[i]; !operand.as<NoneFact>())
            operands.push_back(&operand);
    return operands;
}

std::optional<ir::DType> dtypeOf(const Call &call, std::span<const Fact *const> operands, ResultType result)
{
    if (result == ResultType::Boolean)
        return ir::DType::Bool;
    if (result == ResultType::First && !operands.empty())
        operands = operands.first(1);
    if (call.isOnnx())
        return firstKnownDType(operands);
    const auto promoted = resultType(operands);
    return result == ResultType::Float && promoted ? std::optional(floatType(*promoted)) : promoted;
}

bool isOfTensors(const Call &call, std::span<const Fact *const> operands)
{
    if (call.isOnnx() || std::ranges::any_of(operands, [](const Fact *operand) { return asTensor(*operand); }))
        return true;
    if (std::ranges::all_of(operands, [](const Fact *operand) { return asNumber(*operand); }))
        return false;
    // For unknown operands the overload decides: numbers have "", "int", "float_int", …; tensors have "Tensor",
    // "Scalar", …
    const std::string_view overload = call.overload();
    return call.dialect() == "aten"
        && (overload.empty() || overload.starts_with("Tensor") || overload.starts_with("Scalar")
            || overload == "default");
}

bool isOfAnything(const Call &call, std::span<const Fact *const> operands)
{
    return call.dialect() == "_operator"
        && std::ranges::any_of(operands, [](const Fact *operand) { return operand->as<AnyFact>() != nullptr; });
}

bool isInPlace(const Call &call)
{
    const std::string_view name = call.fullName();
    // The name `and_` of a function of Python does not mean in place: it ends so because `and` is a keyword.
    return !call.isOnnx() && call.dialect() != "_operator" && name.ends_with('_') && !name.ends_with("__");
}

Answer elementwise(const Call &call, std::span<const Fact *const> operands, std::optional<ir::DType> dtype)
{
    auto shape = commonShape(call, operands);
    const auto why = shape ? std::nullopt : std::optional(shape.error());
    if (!isInPlace(call))
        return {Facts{tensorFact(dtype, std::move(shape).value_or(nullptr))}, why};
    const TensorFact *self = call.tensor(0u);
    return {Facts{self ? tensorFact(self->dtype, self->shape) : TensorFact()}, why};
}

Answer elementwise(const Call &call, std::span<const Fact *const> operands, std::optional<ir::DType> dtype,
                   const ElementRule &element)
{
    Answer answer = elementwise(call, operands, dtype);
    auto *tensor = std::get_if<TensorFact>(&answer.facts[0].v);
    if (tensor->shape && tensor->dtype && isFollowed(*tensor->dtype))
        tensor->elements = elementsOfResult(operands, *tensor->shape, *tensor->dtype, element);
    return answer;
}

/// Whether an integer is divided by zero, also as an element of a tensor: integers have no infinity.
bool dividesByZero(Arithmetic op, const Fact &divisor)
{
    using enum Arithmetic;
    constexpr std::array divisions{TrueDivide, FloorDivide, TruncateDivide, Modulo, Remainder};
    const auto parts = std::ranges::contains(divisions, op) ? asInts(divisor) : std::nullopt;
    return parts && std::ranges::any_of(*parts, [](const Dim &part) { return number(part) == 0; });
}

Answer binaryOf(const Call &call, Arithmetic op, ResultType result)
{
    const Operands operands = operandsOf(call, 2);
    if (operands.size() < 2)
        return unknown("an operand is missing");
    if (isOfAnything(call, operands))
        return unknown("an operand is unknown");
    Answer answer = isOfTensors(call, operands)
        ? elementwise(call, operands, dtypeOf(call, operands, result),
                      [op](std::span<const Dim> row) { return compute(op, row[0], row[1]); })
        : Answer{computeNumber(call, op, asNumber(*operands[0]), asNumber(*operands[1]), result)};
    if (!answer.isWrong() && result != ResultType::Float && dividesByZero(op, *operands[1]))
        answer = {std::move(answer.facts), unknown("division by zero")};
    return answer;
}

Answer unaryOf(const Call &call, Function function, ResultType result)
{
    const Operands operands = operandsOf(call, 1);
    if (operands.empty())
        return unknown("the operand is missing");
    if (isOfAnything(call, operands))
        return unknown("the operand is unknown");
    if (!isOfTensors(call, operands)) {
        const NumberFact *number = asNumber(*operands[0]);
        const auto kind = number ? commonKind(number->kind, number->kind) : kindOfOverload(call.overload());
        return {number ? compute(function, *number, numberKind(kind, result))
                       : NumberFact{numberKind(kind, result), {}}};
    }
    return elementwise(call, operands, dtypeOf(call, operands, result),
                       [function](std::span<const Dim> row) { return compute(function, row[0]); });
}

Answer identity(const Call &call) { return {call[0u]}; }

Answer likeFirst(const Call &call) { return pointwise<1, ResultType::First>(call); }

} // namespace cutaway::ops
