// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/whole_numbers.h"

#include "core/ops/facts/dim_arithmetic.h"

namespace cutaway::rules::to_aten {

std::optional<std::pair<double, double>> limitsOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Int4:
        return std::pair{-8.0, 7.0};
    case ir::DType::UInt4:
        return std::pair{0.0, 15.0};
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

std::optional<Term> wholeInput(OnnxNode &n, std::size_t position)
{
    const auto x = n.tensor(position);
    if (!x || (x->dtype != ir::DType::Int4 && x->dtype != ir::DType::UInt4))
        return x ? std::optional(n.input(position)) : std::nullopt;
    return n.constantOf(position, x->dtype == ir::DType::Int4 ? ir::DType::Int8 : ir::DType::UInt8);
}

std::optional<Term> centred(OnnxNode &n, std::size_t position, std::size_t zero, std::size_t zeroRank)
{
    Term whole = n.d.cast(n.input(position), ir::DType::Int32);
    if (!n.has(zero))
        return whole;
    const auto given = n.tensor(zero);
    if (!given || given->rank() > zeroRank)
        return std::nullopt;
    return whole - n.d.cast(n.input(zero), ir::DType::Int32);
}

Parts requantized(OnnxNode &n, const Term &real, std::size_t zero)
{
    const auto y = n.result();
    const auto limits = y ? limitsOf(y->dtype) : std::nullopt;
    const auto given = n.tensor(zero);
    if (!limits || (n.has(zero) && (!given || ops::product(given->shape) != ir::Dim(std::int64_t{1}))))
        return n.refuse("its result is of a dtype that torch has not, or its zero point is not one for all");
    Term whole = applied("round", real);
    if (n.has(zero))
        whole = whole + n.d.cast(n.input(zero), ir::DType::Float32);
    const Term held = n.d.make("clamp", {whole, ir::Operand(limits->first), ir::Operand(limits->second)});
    return {n.d.cast(held, y->dtype)};
}

DynamicRange dynamicRange(OnnxNode &n, const Term &x)
{
    const Term zero = n.d.scalar(0.0, ir::DType::Float32);
    const Term low = n.d.make("minimum", {n.d.make("amin", {x}), zero});
    const Term high = n.d.make("maximum", {n.d.make("amax", {x}), zero});
    const Term scale = (high - low) / 255;
    const auto held = [&](const Term &each) { return n.d.make("clamp", {each, ir::Operand(0.0), ir::Operand(255.0)}); };
    const Term point = held(applied("round", -low / scale));
    return {held(applied("round", x / scale) + point), scale, point};
}

} // namespace cutaway::rules::to_aten
