// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/numbers.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ops/compute/array.h"

#include <algorithm>

namespace cutaway::tensor {

using protocol::Tensor;

namespace {

std::size_t countOf(const Tensor &tensor)
{
    return static_cast<std::size_t>(protocol::elementCount(tensor.shape).value_or(0));
}

/// Reads complex numbers, whose real and imaginary parts alternate.
compute::Array complexArrayOf(const Tensor &tensor, ir::DType part)
{
    const ir::Numbers parts = ir::decodeNumbers(part, bytesOf(tensor), 2 * countOf(tensor));
    std::vector<double> real, imaginary;
    for (std::size_t i = 0; const double x : std::get<std::vector<double>>(parts))
        (i++ % 2 == 0 ? real : imaginary).push_back(x);
    compute::Array array{tensor.dtype, tensor.shape, std::move(real)};
    array.imaginary = std::move(imaginary);
    return array;
}

std::string numberText(const Tensor &tensor, double x)
{
    if (tensor.dtype == ir::DType::Bool)
        return x != 0 ? "true" : "false";
    return formatted("{:.6g}", x);
}

} // namespace

Tensor tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes)
{
    return {dtype, std::move(shape), std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size())};
}

std::optional<compute::Array> arrayOf(const Tensor &tensor)
{
    if (const auto part = protocol::partOf(tensor.dtype))
        return complexArrayOf(tensor, *part);
    if (!compute::isComputable(tensor.dtype))
        return std::nullopt;
    compute::Array array{tensor.dtype, tensor.shape, ir::decodeNumbers(tensor.dtype, bytesOf(tensor), countOf(tensor))};
    return compute::isInRange(array) ? std::optional(std::move(array)) : std::nullopt;
}

Tensor tensorOf(const compute::Array &array) { return tensorOf(array.dtype, array.shape, compute::bytesOf(array)); }

std::optional<std::vector<double>> numbersOf(const Tensor &tensor)
{
    const ir::DType part = protocol::partOf(tensor.dtype).value_or(tensor.dtype);
    if (!ir::isNumeric(part))
        return std::nullopt;
    const std::size_t count = part == tensor.dtype ? countOf(tensor) : 2 * countOf(tensor);
    ir::Numbers numbers = ir::decodeNumbers(part, bytesOf(tensor), count);
    if (auto *floats = std::get_if<std::vector<double>>(&numbers))
        return std::move(*floats);
    const auto &whole = std::get<std::vector<std::int64_t>>(numbers);
    const bool wraps = tensor.dtype == ir::DType::UInt64;
    std::vector<double> floats(count);
    std::ranges::transform(whole, floats.begin(), [&](std::int64_t n) {
        return wraps ? static_cast<double>(static_cast<std::uint64_t>(n)) : static_cast<double>(n);
    });
    return floats;
}

std::vector<std::string> firstElements(const Tensor &tensor, std::size_t limit)
{
    std::vector<std::string> texts;
    if (tensor.dtype == ir::DType::String) {
        for (const std::string &text : protocol::textsOf(tensor).value_or(std::vector<std::string>()))
            if (texts.size() < limit)
                texts.push_back(quote(text));
        return texts;
    }
    const auto numbers = numbersOf(tensor).value_or(std::vector<double>());
    for (std::size_t i = 0; i < std::min(limit, numbers.size()); ++i)
        texts.push_back(numberText(tensor, numbers[i]));
    return texts;
}

} // namespace cutaway::tensor
