// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/tensor_numbers.h"

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ir/tensors/small_float.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <bit>
#include <cmath>

namespace cutaway::ir {

namespace {

using Bytes = std::span<const std::byte>;

/// Returns the `width` bits from bit `first` on; the lowest bit is the first.
std::uint64_t bitsAt(Bytes bytes, std::size_t first, std::size_t width)
{
    std::uint64_t bits = 0;
    for (std::size_t done = 0; done < width;) {
        const std::size_t at = first + done;
        const std::size_t taken = std::min(width - done, 8 - at % 8);
        const auto part = (static_cast<std::uint64_t>(bytes[at / 8]) >> at % 8) & ((1u << taken) - 1);
        bits |= part << done;
        done += taken;
    }
    return bits;
}

void setBitsAt(std::vector<std::byte> &bytes, std::size_t first, std::size_t width, std::uint64_t bits)
{
    for (std::size_t done = 0; done < width;) {
        const std::size_t at = first + done;
        const std::size_t taken = std::min(width - done, 8 - at % 8);
        bytes[at / 8] |= static_cast<std::byte>(((bits >> done) & ((1u << taken) - 1)) << at % 8);
        done += taken;
    }
}

double floatOf(DType dtype, std::uint64_t bits)
{
    if (dtype == DType::Float64)
        return std::bit_cast<double>(bits);
    if (dtype == DType::Float32)
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (dtype == DType::Float8E8M0FNU)
        return bits == 255 ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
    return decode(*smallFloat(dtype), static_cast<std::uint32_t>(bits));
}

/// Returns the pattern of the nearest power of two.
std::uint64_t exponentPattern(double x)
{
    if (!(x >= 0) || std::isinf(x))
        return 255;
    const double power = std::nearbyint(std::log2(std::max(x, 0x1p-127)));
    return static_cast<std::uint64_t>(std::min(power, 127.0) + 127);
}

std::uint64_t patternOf(DType dtype, double x)
{
    if (dtype == DType::Float64)
        return std::bit_cast<std::uint64_t>(x);
    if (dtype == DType::Float32)
        return std::bit_cast<std::uint32_t>(static_cast<float>(x));
    if (dtype == DType::Float8E8M0FNU)
        return exponentPattern(x);
    return encode(*smallFloat(dtype), x);
}

std::size_t widthOf(DType dtype) { return static_cast<std::size_t>(*bitWidth(dtype)); }

} // namespace

bool isFloat(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float8E8M0FNU || smallFloat(dtype);
}

bool isNumeric(DType dtype)
{
    const ElementKind kind = elementKind(dtype);
    return isFloat(dtype)
        || (kind != ElementKind::Floating && kind != ElementKind::Complex && kind != ElementKind::Bits
            && kind != ElementKind::Text);
}

bool isSigned(DType dtype)
{
    return elementKind(dtype) == ElementKind::Signed || elementKind(dtype) == ElementKind::QuantizedSigned;
}

double rounded(DType dtype, double x) { return dtype == DType::Float64 ? x : floatOf(dtype, patternOf(dtype, x)); }

std::int64_t wrapped(DType dtype, std::int64_t x)
{
    if (dtype == DType::Bool)
        return x != 0 ? 1 : 0;
    const int unused = 64 - *bitWidth(dtype);
    const std::uint64_t high = static_cast<std::uint64_t>(x) << unused;
    return isSigned(dtype) ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

Numbers decodeNumbers(DType dtype, Bytes bytes, std::size_t count)
{
    const std::size_t width = widthOf(dtype);
    const auto each = [&](const auto &number) {
        std::vector<decltype(number(std::uint64_t{}))> numbers(count);
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] = number(bitsAt(bytes, i * width, width));
        return Numbers(std::move(numbers));
    };
    if (isFloat(dtype))
        return each([&](std::uint64_t bits) { return floatOf(dtype, bits); });
    return each([&](std::uint64_t bits) { return wrapped(dtype, static_cast<std::int64_t>(bits)); });
}

std::vector<std::byte> encodeNumbers(DType dtype, const Numbers &numbers)
{
    const std::size_t width = widthOf(dtype);
    const auto pattern = [&](auto x) -> std::uint64_t {
        if (isFloat(dtype))
            return patternOf(dtype, static_cast<double>(x));
        return static_cast<std::uint64_t>(wrapped(dtype, static_cast<std::int64_t>(x)));
    };
    return std::visit(
        [&](const auto &list) {
            std::vector<std::byte> bytes((list.size() * width + 7) / 8);
            for (std::size_t i = 0; i < list.size(); ++i)
                setBitsAt(bytes, i * width, width, pattern(list[i]));
            return bytes;
        },
        numbers);
}

Result<Numbers> numbersOf(const Model &model, TensorId id)
{
    const Tensor &tensor = model.at(id);
    if (!isNumeric(tensor.dtype))
        return unreadable("elements of " + std::string(name(tensor.dtype)) + " are not plain numbers",
                          std::string(model.context->text(tensor.name)));
    std::vector<std::byte> bytes;
    CUTAWAY_RETURN_IF_ERROR(
        visitElements(model, id, [&](Bytes piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); }));
    return decodeNumbers(tensor.dtype, bytes, static_cast<std::size_t>(*elementCount(tensor)));
}

} // namespace cutaway::ir
