// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/promotion.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using enum ir::DType;

/// Returns the category: Boolean, integer, floating, complex. A higher one can hold the numbers of a lower one.
int category(ir::DType dtype)
{
    if (isComplex(dtype))
        return 3;
    if (isFloating(dtype))
        return 2;
    return isInteger(dtype) ? 1 : 0;
}

int bits(ir::DType dtype) { return ir::bitWidth(dtype).value_or(0); }

ir::DType promoteIntegers(ir::DType a, ir::DType b)
{
    if (a == b)
        return a;
    const bool isUnsignedA = elementKind(a) == ir::ElementKind::Unsigned;
    const bool isUnsignedB = elementKind(b) == ir::ElementKind::Unsigned;
    if (isUnsignedA == isUnsignedB)
        return bits(a) >= bits(b) ? a : b;
    const ir::DType with = isUnsignedA ? b : a;
    const ir::DType without = isUnsignedA ? a : b;
    if (bits(with) > bits(without))
        return with;
    switch (bits(without)) { // the smallest signed dtype that holds both
    case 8:
        return Int16;
    case 16:
        return Int32;
    default:
        return Int64;
    }
}

ir::DType promoteFloats(ir::DType a, ir::DType b)
{
    if (a == b)
        return a;
    if (bits(a) == bits(b)) // both half and bfloat16, or two kinds of float8
        return Float32;
    return bits(a) > bits(b) ? a : b;
}

ir::DType complexOf(ir::DType real)
{
    switch (real) {
    case Float16:
        return Complex32;
    case Float64:
        return Complex128;
    default:
        return Complex64;
    }
}

/// Returns the dtype that a number has in a promotion: Python's kind, in PyTorch's default dtypes.
std::optional<ir::DType> numberType(const NumberFact &number)
{
    switch (number.kind) {
    case NumberFact::Kind::Int:
        return Int64;
    case NumberFact::Kind::Float:
        return Float32;
    case NumberFact::Kind::Bool:
        return Bool;
    case NumberFact::Kind::Complex:
        return Complex64;
    case NumberFact::Kind::Number:
        break;
    }
    return std::nullopt;
}

/// The dtype of all arguments of a kind, which are promoted first: tensors with dimensions, tensors without, numbers.
struct Gathered {
    std::optional<ir::DType> dtype;

    void add(ir::DType other) { dtype = dtype ? promote(*dtype, other) : other; }
};

/// Promotes a dtype with one of a weaker kind, which never makes it wider, only lifts it into a higher category.
ir::DType combine(std::optional<ir::DType> strong, std::optional<ir::DType> weak, ir::DType none)
{
    if (!strong)
        return weak.value_or(none);
    if (!weak || category(*weak) <= category(*strong))
        return *strong;
    return isComplex(*weak) && isFloating(*strong) ? complexOf(*strong) : *weak;
}

} // namespace

ir::DType promote(ir::DType a, ir::DType b)
{
    if (a == b)
        return a;
    if (category(a) < category(b))
        std::swap(a, b);
    if (category(a) != category(b))
        return isComplex(a) && isFloating(b) ? promote(a, complexOf(b)) : a;
    if (isInteger(a))
        return promoteIntegers(a, b);
    return isFloating(a) ? promoteFloats(a, b) : bits(a) >= bits(b) ? a : b;
}

std::optional<ir::DType> resultType(std::span<const Fact *const> arguments)
{
    Gathered dimensioned, scalars, numbers;
    for (const Fact *argument : arguments) {
        if (const TensorFact *tensor = asTensor(*argument)) {
            if (!tensor->dtype)
                return std::nullopt;
            (tensor->shape && tensor->shape->empty() ? scalars : dimensioned).add(*tensor->dtype);
        } else if (const auto *number = argument->as<NumberFact>()) {
            const auto dtype = numberType(*number);
            if (!dtype)
                return std::nullopt;
            numbers.add(*dtype);
        } else if (!argument->as<NoneFact>()) {
            return std::nullopt;
        }
    }
    const ir::DType weak = combine(scalars.dtype, numbers.dtype, Float32);
    const bool hasWeak = scalars.dtype || numbers.dtype;
    return combine(dimensioned.dtype, hasWeak ? std::optional(weak) : std::nullopt, Float32);
}

ir::DType floatType(ir::DType dtype) { return isFloating(dtype) || isComplex(dtype) ? dtype : Float32; }

ir::DType realType(ir::DType dtype)
{
    switch (dtype) {
    case Complex32:
        return Float16;
    case Complex64:
        return Float32;
    case Complex128:
        return Float64;
    case BComplex32:
        return BFloat16;
    default:
        return dtype;
    }
}

} // namespace cutaway::ops
