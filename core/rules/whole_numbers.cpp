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

Term wholeInput(OnnxNode &n, std::size_t position)
{
    const ir::DType dtype = n.dtype(position);
    if (dtype != ir::DType::Int4 && dtype != ir::DType::UInt4)
        return n[position];
    const auto made = n.constantOf(position, dtype == ir::DType::Int4 ? ir::DType::Int8 : ir::DType::UInt8);
    if (!made)
        n.refuse("torch has no numbers of four bits, and these are no constant");
    return made.value_or(n[position]);
}

Term centred(OnnxNode &n, std::size_t position, std::size_t zero, std::size_t zeroRank)
{
    Term whole = cast(n[position], ir::DType::Int32);
    if (!n.has(zero))
        return whole;
    if (n.tensor(zero).rank() > zeroRank)
        n.refuse(zeroRank == 0 ? "its zero points are not one for all"
                               : "its zero points are not one for all, or for each column");
    return whole - cast(n[zero], ir::DType::Int32);
}

Parts requantized(OnnxNode &n, const Term &real, std::size_t zero)
{
    const ir::DType dtype = n.declaredDType();
    const auto limits = limitsOf(dtype);
    if (!limits || (n.has(zero) && ops::product(n.tensor(zero).shape) != ir::Dim(ops::one)))
        return n.refuse("its result is of a dtype that torch has not, or its zero point is not one for all");
    Term whole = applied("round", real);
    if (n.has(zero))
        whole = whole + cast(n[zero], ir::DType::Float32);
    return {cast(n.make("clamp", {whole, ir::Operand(limits->first), ir::Operand(limits->second)}), dtype)};
}

DynamicRange dynamicRange(OnnxNode &n, const Term &x)
{
    const Term zero = n.scalar(0.0, ir::DType::Float32);
    const Term low = n.make("minimum", {n.make("amin", {x}), zero});
    const Term high = n.make("maximum", {n.make("amax", {x}), zero});
    const Term scale = (high - low) / 255;
    const auto held = [&](const Term &each) { return n.make("clamp", {each, ir::Operand(0.0), ir::Operand(255.0)}); };
    const Term point = held(applied("round", -low / scale));
    return {held(applied("round", x / scale) + point), scale, point};
}

} // namespace cutaway::rules::to_aten
