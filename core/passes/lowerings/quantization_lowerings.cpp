// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// As arithmetic, in the order in which ONNX's document has it: torch's own operators of quantization multiply by the
// inverse of the scale, and so round some numbers to another neighbour.
#include "core/passes/lowerings/onnx_node.h"

#include <array>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

std::optional<std::pair<double, double>> limitsOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Int8:
        return std::pair{-128.0, 127.0};
    case ir::DType::UInt8:
        return std::pair{0.0, 255.0};
    case ir::DType::Int16:
        return std::pair{-32768.0, 32767.0};
    case ir::DType::UInt16:
        return std::pair{0.0, 65535.0};
    default:
        return std::nullopt;
    }
}

/// A scale or zero point, so that it stands beside its dimension; nothing for blocks.
std::optional<Term> besideData(N &n, std::size_t position)
{
    const auto x = n.tensor(0), given = n.tensor(position);
    const auto axis = n.dimension(n.integer("axis", 1));
    if (!x || !given || n.integer("block_size", 0) != 0 || given->rank() > 1)
        return std::nullopt;
    if (given->rank() == 0 || x->rank() <= 1)
        return n.input(position);
    if (!axis)
        return std::nullopt;
    ir::Shape shape(x->rank(), ir::Dim(std::int64_t{1}));
    shape[*axis] = given->shape[0];
    return n.d.reshape(n.input(position), shape);
}

Parts quantize(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const auto limits = y ? limitsOf(y->dtype) : std::nullopt;
    const auto scale = besideData(n, 1);
    if (!x || x->dtype != ir::DType::Float32 || !limits || !scale)
        return {};
    Term whole = applied("round", n.input(0) / *scale);
    if (n.has(2)) {
        const auto zero = besideData(n, 2);
        if (!zero)
            return {};
        whole = whole + n.d.cast(*zero, x->dtype);
    }
    const Term held = n.d.make("clamp", {whole, ir::Operand(limits->first), ir::Operand(limits->second)});
    return {n.d.cast(held, y->dtype)};
}

Parts dequantize(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const auto scale = besideData(n, 1);
    if (!x || !y || y->dtype != ir::DType::Float32 || !scale || !(limitsOf(x->dtype) || x->dtype == ir::DType::Int32))
        return {};
    Term whole = n.d.cast(n.input(0), x->dtype == ir::DType::Int32 ? ir::DType::Float64 : y->dtype);
    if (n.has(2)) {
        const auto zero = besideData(n, 2);
        if (!zero)
            return {};
        whole = whole - n.d.cast(*zero, n.d.dtype(whole));
    }
    return {n.d.cast(whole, y->dtype) * *scale};
}

/// Products of whole numbers, as torch makes them of int32.
Parts matMulInteger(N &n)
{
    const auto factor = [&](std::size_t position) -> std::optional<Term> {
        Term whole = n.d.cast(n.input(position), ir::DType::Int32);
        if (!n.has(position + 2))
            return whole;
        const auto zero = n.tensor(position + 2);
        if (!zero || zero->rank() > 0)
            return std::nullopt;
        return whole - n.d.cast(n.input(position + 2), ir::DType::Int32);
    };
    const auto a = factor(0), b = factor(1);
    return a && b ? Parts{n.d.matmul(*a, *b)} : Parts{};
}

/// A whole number less its zero point, which has no dimensions.
std::optional<Term> centred(N &n, std::size_t position, std::size_t zero)
{
    const auto given = n.tensor(zero);
    if (!given || given->rank() > 0)
        return std::nullopt;
    return n.d.cast(n.input(position), ir::DType::Int32) - n.d.cast(n.input(zero), ir::DType::Int32);
}

/// (a, scale, zero, b, scale, zero, scale, zero): the product of whole numbers in another scale.
Parts quantizedMatMul(N &n)
{
    const auto y = n.result();
    const auto limits = y ? limitsOf(y->dtype) : std::nullopt;
    for (const std::size_t scale : {1, 4, 6})
        if (const auto given = n.tensor(scale); !given || given->rank() > 0 || given->dtype != ir::DType::Float32)
            return {};
    const auto a = centred(n, 0, 2), b = centred(n, 3, 5);
    if (!limits || !a || !b || !n.tensor(7) || n.tensor(7)->rank() > 0)
        return {};
    const Term scale = n.input(1) * n.input(4) / n.input(6);
    const Term whole = applied("round", n.d.cast(n.d.matmul(*a, *b), ir::DType::Float32) * scale)
        + n.d.cast(n.input(7), ir::DType::Float32);
    const Term held = n.d.make("clamp", {whole, ir::Operand(limits->first), ir::Operand(limits->second)});
    return {n.d.cast(held, y->dtype)};
}

/// Into 0 to 255, with 0 among the numbers: whole numbers, scale and zero point.
Parts dynamicQuantize(N &n)
{
    const auto x = n.tensor(0);
    if (!x || x->dtype != ir::DType::Float32 || n.resultCount() != 3)
        return {};
    const Term zero = n.d.scalar(0.0, x->dtype);
    const Term low = n.d.make("minimum", {n.d.make("amin", {n.input(0)}), zero});
    const Term high = n.d.make("maximum", {n.d.make("amax", {n.input(0)}), zero});
    const Term scale = (high - low) / 255;
    const auto held = [&](const Term &each) { return n.d.make("clamp", {each, ir::Operand(0.0), ir::Operand(255.0)}); };
    const Term point = held(applied("round", -low / scale));
    const Term whole = held(applied("round", n.input(0) / scale) + point);
    return {n.d.cast(whole, ir::DType::UInt8), scale, n.d.cast(point, ir::DType::UInt8)};
}

constexpr std::array quantizationRules{
    OnnxLowering{"DequantizeLinear", dequantize}, OnnxLowering{"DynamicQuantizeLinear", dynamicQuantize},
    OnnxLowering{"MatMulInteger", matMulInteger}, OnnxLowering{"QLinearMatMul", quantizedMatMul},
    OnnxLowering{"QuantizeLinear", quantize},
};

} // namespace

std::span<const OnnxLowering> quantizationLowerings() { return quantizationRules; }

} // namespace cutaway::passes
