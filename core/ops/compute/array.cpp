// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/array.h"

#include "core/ops/facts/promotion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace cutaway::compute {

bool isComputable(ir::DType dtype)
{
    using enum ir::DType;
    return dtype <= Float64 || (dtype >= Float8E5M2 && dtype <= Float4E2M1FN) || (dtype >= UInt1 && dtype <= Int7);
}

std::int64_t countOf(std::span<const std::int64_t> shape)
{
    // If one size is 0, the product of the others may overflow.
    return std::ranges::contains(shape, 0)
        ? 0
        : std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies());
}

Sizes stridesOf(const Sizes &shape)
{
    Sizes strides(shape.size(), 1);
    for (std::size_t d = std::ranges::contains(shape, 0) ? 0 : shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

Array filled(ir::DType dtype, Sizes shape, double value)
{
    const auto count = static_cast<std::size_t>(countOf(shape));
    return {dtype, std::move(shape), std::vector<double>(count, value)};
}

Array filled(ir::DType dtype, Sizes shape, std::int64_t value)
{
    const auto count = static_cast<std::size_t>(countOf(shape));
    return {dtype, std::move(shape), std::vector<std::int64_t>(count, value)};
}

namespace {

std::optional<std::int64_t> truncated(double x)
{
    const double whole = std::trunc(x);
    return whole >= -0x1p63 && whole < 0x1p63 ? std::optional(static_cast<std::int64_t>(whole)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> wholes(const Array &array, ir::DType dtype)
{
    if (array.isWhole()) {
        std::vector<std::int64_t> result(array.as<std::int64_t>().begin(), array.as<std::int64_t>().end());
        std::ranges::transform(result, result.begin(), [&](std::int64_t x) { return ir::wrapped(dtype, x); });
        return result;
    }
    std::vector<std::int64_t> result;
    for (const double x : array.as<double>()) {
        if (dtype == ir::DType::Bool) {
            result.push_back(x != 0);
            continue;
        }
        const auto whole = truncated(x);
        if (!whole || ir::wrapped(dtype, *whole) != *whole)
            return std::nullopt;
        result.push_back(*whole);
    }
    return result;
}

std::vector<double> roundedParts(ir::DType part, std::vector<double> floats)
{
    std::ranges::transform(floats, floats.begin(), [&](double x) { return ir::rounded(part, x); });
    return floats;
}

/// Converts between complex dtypes, from real to complex numbers, and from complex numbers to Booleans; nothing for
/// other dtypes.
std::optional<Array> convertedComplex(const Array &array, ir::DType dtype)
{
    std::vector<double> imaginary = ir::isComplex(array.dtype) ? array.imaginary : std::vector<double>(array.count());
    if (ir::isComplex(dtype)) {
        const ir::DType part = ops::realType(dtype);
        Array made{dtype, array.shape, roundedParts(part, floatsOf(array))};
        made.imaginary = roundedParts(part, std::move(imaginary));
        return made;
    }
    if (dtype != ir::DType::Bool)
        return std::nullopt;
    const auto real = array.as<double>();
    std::vector<std::int64_t> areNotZero;
    for (std::size_t i = 0; i < real.size(); ++i)
        areNotZero.push_back(real[i] != 0 || imaginary[i] != 0);
    return Array{dtype, array.shape, std::move(areNotZero)};
}

} // namespace

bool isInRange(const Array &array)
{
    return array.dtype != ir::DType::UInt64
        || std::ranges::all_of(array.as<std::int64_t>(), [](std::int64_t x) { return x >= 0; });
}

std::optional<Array> converted(const Array &array, ir::DType dtype)
{
    if (ir::isComplex(dtype) || ir::isComplex(array.dtype))
        return convertedComplex(array, dtype);
    if (ir::isFloat(dtype))
        return Array{dtype, array.shape, roundedParts(dtype, floatsOf(array))};
    auto numbers = wholes(array, dtype);
    return numbers ? std::optional(Array{dtype, array.shape, std::move(*numbers)}) : std::nullopt;
}

Array inDoubles(const Array &array) { return {ir::DType::Float64, array.shape, floatsOf(array)}; }

std::vector<double> floatsOf(const Array &array)
{
    return std::visit([](const auto &list) { return std::vector<double>(list.begin(), list.end()); }, array.elements);
}

std::vector<std::byte> bytesOf(const Array &array)
{
    if (!ir::isComplex(array.dtype))
        return ir::encodeNumbers(array.dtype, array.elements);
    std::vector<double> parts;
    for (std::size_t i = 0; i < array.imaginary.size(); ++i)
        parts.insert(parts.end(), {array.as<double>()[i], array.imaginary[i]});
    return ir::encodeNumbers(ops::realType(array.dtype), parts);
}

Array strided(const Array &array, Sizes shape, const Sizes &strides, std::int64_t offset)
{
    const auto movedFrom = [&](const auto &list) {
        std::remove_cvref_t<decltype(list)> moved;
        moved.reserve(static_cast<std::size_t>(countOf(shape)));
        forEachPlace(shape, strides, offset,
                     [&](std::int64_t place) { moved.push_back(list[static_cast<std::size_t>(place)]); });
        return moved;
    };
    auto elements = std::visit([&](const auto &list) -> ir::Numbers { return movedFrom(list); }, array.elements);
    Array made{array.dtype, shape, std::move(elements)};
    if (ir::isComplex(array.dtype))
        made.imaginary = movedFrom(array.imaginary);
    return made;
}

Array permuted(const Array &array, std::span<const std::size_t> order)
{
    const Sizes strides = stridesOf(array.shape);
    Sizes shape, steps;
    for (const std::size_t d : order) {
        shape.push_back(array.shape[d]);
        steps.push_back(strides[d]);
    }
    return strided(array, std::move(shape), steps);
}

std::optional<Array> broadcast(const Array &array, const Sizes &shape)
{
    if (array.shape == shape)
        return array;
    if (array.shape.size() > shape.size())
        return std::nullopt;
    const Sizes strides = stridesOf(array.shape);
    Sizes steps(shape.size(), 0);
    const std::size_t added = shape.size() - array.shape.size();
    for (std::size_t d = 0; d < array.shape.size(); ++d) {
        if (array.shape[d] == shape[added + d])
            steps[added + d] = strides[d];
        else if (array.shape[d] != 1)
            return std::nullopt;
    }
    return strided(array, shape, steps);
}

Array reshaped(Array array, Sizes shape)
{
    array.shape = std::move(shape);
    return array;
}

} // namespace cutaway::compute
