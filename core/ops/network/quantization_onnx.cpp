// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/quantization_onnx.h"

#include "core/base/formatted.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/network/matrix_shape.h"

#include <array>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;

} // namespace

/// The result has the dtype of the zero point; without a zero point the dtype of an attribute, or else uint8.
Answer onnxQuantize(const Call &call)
{
    const auto asked = call.dtype("output_dtype");
    const auto dtype = call.has(2u) ? call.dtypeOf(2u) : asked ? asked : std::optional(DType::UInt8);
    return {tensorFact(dtype, shapeAt(call, 0))};
}

/// The result has the dtype of the attribute output_dtype, or else that of the scale, which before opset 19 is always
/// float32.
Answer onnxDequantize(const Call &call)
{
    const auto asked = call.dtype("output_dtype");
    return {tensorFact(asked ? asked : call.dtypeOf(1u), shapeAt(call, 0))};
}

Answer dynamicQuantize(const Call &call)
{
    return {tensorFact(DType::UInt8, shapeAt(call, 0)), tensorFact(DType::Float32, Shape{}),
            tensorFact(DType::UInt8, Shape{})};
}

Answer orderedQuantize(const Call &call) { return {tensorFact(DType::Int8, shapeAt(call, 0))}; }

Answer orderedDequantize(const Call &call)
{
    const auto asked = call.dtype("to");
    return {tensorFact(asked ? asked : call.dtypeOf(1u), shapeAt(call, 0))};
}

namespace {

Answer binaryOfDType(const Call &call, std::size_t second, std::optional<DType> dtype)
{
    const Shape *a = call.shape(0u), *b = call.shape(second);
    if (!a || !b)
        return onlyType(dtype, "number of dimensions of an operand unknown");
    auto shape = broadcast(*a, *b);
    if (!shape)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(*a), ir::print(*b)));
    return {tensorFact(dtype, std::move(shape))};
}

} // namespace

Answer qlinearBinary(const Call &call) { return binaryOfDType(call, 3, call.dtypeOf(0u)); }

Answer integerProduct(const Call &call) { return binaryOfDType(call, 2, DType::Int32); }

Answer qlinearConcat(const Call &call)
{
    const auto dtype = call.dtypeOf(1u);
    const auto axis = call.integer("axis");
    std::optional<Shape> shape;
    for (std::size_t i = 2; i < call.inputCount(); i += 3) {
        const Shape *part = call.shape(i);
        const auto at = part && axis ? dimension(*axis, part->size()) : std::nullopt;
        if (!at || (shape && shape->size() != part->size()))
            return onlyType(dtype, "shape of an operand or the axis unknown");
        if (shape)
            (*shape)[*at] = plus((*shape)[*at], (*part)[*at]);
        else
            shape = *part;
    }
    return {tensorFact(dtype, std::move(shape))};
}

/// Inputs: the condition, then x and y, each followed by a scale and a zero point.
Answer qlinearWhere(const Call &call)
{
    const std::array<const Shape *, 3> shapes{call.shape(0u), call.shape(1u), call.shape(4u)};
    if (!shapes[0] || !shapes[1] || !shapes[2])
        return onlyType(call.dtypeOf(1u), "number of dimensions of an operand unknown");
    auto shape = broadcast(shapes);
    return shape ? Answer{tensorFact(call.dtypeOf(1u), std::move(shape))} : wrong("the operands do not broadcast");
}

} // namespace cutaway::ops
