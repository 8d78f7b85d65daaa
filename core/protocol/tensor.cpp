// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/tensor.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ir/tensors/random_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace cutaway::protocol {

namespace {

constexpr std::int64_t maxElements = std::int64_t{1} << 36;

std::string asText(const std::vector<std::byte> &bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

std::optional<ir::DType> partOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Complex32:
        return ir::DType::Float16;
    case ir::DType::Complex64:
        return ir::DType::Float32;
    case ir::DType::Complex128:
        return ir::DType::Float64;
    default:
        return std::nullopt;
    }
}

Result<std::int64_t> elementCount(std::span<const std::int64_t> shape)
{
    std::int64_t count = 1;
    bool isEmpty = false, isTooMany = false;
    for (const std::int64_t size : shape) {
        if (size < 0)
            return backendError(formatted("a tensor has the size {}", size));
        const auto product = checkedMultiply(count, std::max<std::int64_t>(size, 1));
        isTooMany |= !product || *product > maxElements;
        count = isTooMany ? 1 : *product;
        isEmpty |= size == 0;
    }
    if (isTooMany && !isEmpty)
        return backendError("a tensor has more elements than can be");
    return isEmpty ? 0 : count;
}

Result<void> check(const Tensor &tensor)
{
    if (tensor.dtype == ir::DType::String) {
        CUTAWAY_RETURN_IF_ERROR(textsOf(tensor));
        return {};
    }
    CUTAWAY_TRY(const auto count, elementCount(tensor.shape));
    const auto size = ir::byteSize(tensor.dtype, count);
    if (!size || static_cast<std::uint64_t>(*size) != tensor.bytes.size())
        return backendError(
            formatted("a tensor of {} {} elements has {} bytes", count, ir::name(tensor.dtype), tensor.bytes.size()));
    return {};
}

Result<std::vector<std::string>> textsOf(const Tensor &tensor)
{
    CUTAWAY_TRY(const auto count, elementCount(tensor.shape));
    std::vector<std::string> texts;
    std::string_view rest = tensor.bytes;
    while (rest.size() >= sizeof(std::uint32_t)) {
        std::array<unsigned char, 4> length{};
        std::memcpy(length.data(), rest.data(), length.size());
        const std::uint32_t size = length[0] | length[1] << 8 | length[2] << 16 | std::uint32_t{length[3]} << 24;
        rest.remove_prefix(length.size());
        if (size > rest.size())
            return backendError("a tensor of texts ends within one");
        texts.emplace_back(rest.substr(0, size));
        rest.remove_prefix(size);
    }
    if (!rest.empty() || static_cast<std::int64_t>(texts.size()) != count)
        return backendError(formatted("a tensor of {} texts has {}", count, texts.size()));
    return texts;
}

Tensor tensorOf(std::vector<std::int64_t> shape, std::span<const std::string> texts)
{
    Tensor tensor{ir::DType::String, std::move(shape), {}};
    for (const std::string &text : texts) {
        for (int shift = 0; shift < 32; shift += 8)
            tensor.bytes += static_cast<char>(text.size() >> shift & 0xff);
        tensor.bytes += text;
    }
    return tensor;
}

Result<Tensor> randomTensor(ir::DType dtype, std::vector<std::int64_t> shape, std::uint32_t seed,
                            std::optional<ir::NumberRange> range)
{
    CUTAWAY_TRY(const auto count, elementCount(shape));
    const auto elements = static_cast<std::size_t>(count);
    if (dtype == ir::DType::String) {
        const ir::Numbers drawn = ir::randomNumbers(ir::DType::Int64, elements, seed);
        std::vector<std::string> texts;
        for (const std::int64_t n : std::get<std::vector<std::int64_t>>(drawn))
            texts.push_back(std::to_string(n));
        return tensorOf(std::move(shape), texts);
    }
    const auto part = partOf(dtype);
    if (!part && !ir::isNumeric(dtype))
        return backendError(formatted("cannot make random numbers of {}", ir::name(dtype)));
    const ir::DType plain = part.value_or(dtype);
    const auto numbers = ir::randomNumbers(plain, part ? 2 * elements : elements, seed, range);
    return Tensor{dtype, std::move(shape), asText(ir::encodeNumbers(plain, numbers))};
}

} // namespace cutaway::protocol
