// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/tensors/tensor_data.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ir/tensors/small_float.h"
#include "core/ir/tensors/sparse_elements.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

namespace cutaway::ir {

namespace {

using Bytes = std::span<const std::byte>;

std::string number(double x, Digits digits)
{
    std::array<char, 32> text;
    char *const end = text.data() + text.size();
    return {text.data(),
            digits == Digits::All ? std::to_chars(text.data(), end, x).ptr
                                  : std::to_chars(text.data(), end, x, std::chars_format::general, 6).ptr};
}

template <class T>
T load(const std::byte *at, bool bigEndian)
{
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), at, sizeof(T));
    if (bigEndian)
        std::ranges::reverse(raw);
    return std::bit_cast<T>(raw);
}

/// Reads elements of one dtype from bytes.
class ElementReader {
public:
    ElementReader(DType dtype, Digits digits, Bytes bytes, bool bigEndian, std::optional<int> bitsPerElement = {})
        : m_dtype(dtype),
          m_digits(digits),
          m_bytes(bytes),
          m_bigEndian(bigEndian),
          m_bits(static_cast<std::uint64_t>(bitsPerElement.value_or(bitWidth(dtype).value_or(8))))
    {
    }

    /// Whether element i lies within the bytes.
    bool has(std::uint64_t i) const
    {
        const auto bits = checkedMultiply(i + 1, m_bits);
        return bits && i + 1 != 0 && (*bits + 7) / 8 <= m_bytes.size();
    }

    std::string text(std::uint64_t i) const
    {
        const std::byte *at = m_bytes.data() + i * m_bits / 8;
        switch (m_dtype) {
        case DType::Float32:
            return number(load<float>(at, m_bigEndian), m_digits);
        case DType::Float64:
            return number(load<double>(at, m_bigEndian), m_digits);
        case DType::Complex64:
            return complex(load<float>(at, m_bigEndian), load<float>(at + 4, m_bigEndian));
        case DType::Complex128:
            return complex(load<double>(at, m_bigEndian), load<double>(at + 8, m_bigEndian));
        case DType::Complex32:
            return complex(decode(halfPrecision, load<std::uint16_t>(at, m_bigEndian)),
                           decode(halfPrecision, load<std::uint16_t>(at + 2, m_bigEndian)));
        case DType::Bool:
            return load<std::uint8_t>(at, false) != 0 ? "true" : "false";
        case DType::Float8E8M0FNU:
            return pattern(i) == 255 ? "nan" : number(std::ldexp(1.0, static_cast<int>(pattern(i)) - 127), m_digits);
        default:
            return small(i);
        }
    }

private:
    std::string complex(double re, double im) const
    {
        return number(re, m_digits) + (std::signbit(im) ? "" : "+") + number(im, m_digits) + "j";
    }

    std::string small(std::uint64_t i) const
    {
        const std::uint64_t bits = pattern(i);
        const int width = bitWidth(m_dtype).value_or(8);
        if (const auto format = smallFloat(m_dtype))
            return number(decode(*format, static_cast<std::uint32_t>(bits)), m_digits);
        if (isSigned(m_dtype) && width <= 64) {
            const int shift = 64 - width;
            return std::to_string(static_cast<std::int64_t>(bits << shift) >> shift);
        }
        return std::to_string(bits);
    }

    /// Returns the bits of element i; elements of less than a byte are packed from the low end.
    std::uint64_t pattern(std::uint64_t i) const
    {
        const std::byte *at = m_bytes.data() + i * m_bits / 8;
        switch (m_bits) {
        case 64:
            return masked(load<std::uint64_t>(at, m_bigEndian));
        case 32:
            return load<std::uint32_t>(at, m_bigEndian);
        case 16:
            return load<std::uint16_t>(at, m_bigEndian);
        case 8:
            return load<std::uint8_t>(at, false);
        default:
            break;
        }
        const std::uint64_t first = i * m_bits % 8;
        std::uint64_t window = load<std::uint8_t>(at, false);
        if (first + m_bits > 8)
            window |= std::uint64_t{load<std::uint8_t>(at + 1, false)} << 8;
        return window >> first & ((1u << m_bits) - 1);
    }

    /// Clears the bits above the dtype's width, which varints have because they were widened.
    std::uint64_t masked(std::uint64_t bits) const
    {
        const int width = bitWidth(m_dtype).value_or(64);
        return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    }

    DType m_dtype;
    Digits m_digits;
    Bytes m_bytes;
    bool m_bigEndian;
    std::uint64_t m_bits;
};

using Places = std::span<const std::uint64_t>;

Result<std::vector<std::string>> readElements(const Tensor &tensor, const ElementReader &reader, Places places)
{
    std::vector<std::string> texts;
    for (const std::uint64_t k : places) {
        const auto index = storageIndex(tensor, k);
        if (!index || !reader.has(*index))
            return unreadable("the data are shorter than the shape needs", "element " + std::to_string(k));
        texts.push_back(reader.text(*index));
    }
    return texts;
}

Result<std::vector<std::string>> readElements(const Tensor &tensor, const StorageBytes &source, Places places,
                                              Digits digits)
{
    using Encoding = FileRange::Encoding;
    if (source.encoding != Encoding::Varints)
        return readElements(
            tensor, ElementReader(tensor.dtype, digits, source.bytes, source.encoding == Encoding::BigEndian), places);
    // Decodes one varint per element, or one per byte of packed elements for dtypes of less than a byte.
    const std::vector<std::byte> words =
        decodeVarints(source.bytes, places.empty() ? 0 : std::ranges::max(places) + 1).words;
    const int bits = bitWidth(tensor.dtype).value_or(8);
    if (bits >= 8)
        return readElements(tensor, ElementReader(tensor.dtype, digits, words, false, 64), places);
    std::vector<std::byte> packed;
    for (std::size_t i = 0; i < words.size(); i += 8)
        packed.push_back(words[i]);
    return readElements(tensor, ElementReader(tensor.dtype, digits, packed, false), places);
}

std::vector<std::string> quotedStrings(const std::vector<std::string> &strings, Places places)
{
    std::vector<std::string> texts;
    for (const std::uint64_t place : places)
        if (place < strings.size())
            texts.push_back(quote(strings[place]));
    return texts;
}

/// Returns the number of elements. Errors: the elements cannot be read one by one.
Result<std::uint64_t> countOf(const Model &model, const Tensor &tensor)
{
    const auto elements = elementCount(tensor);
    if (!elements || tensor.offset < 0 || (tensor.strides && tensor.strides->size() != tensor.shape.size()))
        return unreadable("the tensor's sizes make no sense", std::string(model.context->text(tensor.name)));
    return static_cast<std::uint64_t>(*elements);
}

Result<std::vector<std::string>> readPlaces(const Model &model, const Tensor &tensor, Places places, Digits digits)
{
    const Storage &storage = model.at(tensor.storage);
    if (const auto *strings = std::get_if<InlineStrings>(&storage.data))
        return quotedStrings(strings->strings, places);
    if (tensor.layout != Layout::Strided) {
        CUTAWAY_TRY(const auto dense, denseBytes(model, tensor));
        return readElements(tensor, ElementReader(tensor.dtype, digits, dense, false), places);
    }
    CUTAWAY_TRY(const auto source, bytesOf(model, storage));
    auto texts = readElements(tensor, source, places, digits);
    if (source.mapping)
        CUTAWAY_RETURN_IF_ERROR(source.mapping->checkUnchanged());
    return texts;
}

} // namespace

Result<std::vector<std::string>> firstElements(const Model &model, TensorId id, std::size_t limit, Digits digits)
{
    const Tensor &tensor = model.at(id);
    CUTAWAY_TRY(const auto count, countOf(model, tensor));
    std::vector<std::uint64_t> places(std::min<std::uint64_t>(count, limit));
    std::ranges::iota(places, std::uint64_t{0});
    return readPlaces(model, tensor, places, digits);
}

Result<std::vector<std::string>> elementsAt(const Model &model, TensorId id, std::span<const std::uint64_t> places,
                                            Digits digits)
{
    const Tensor &tensor = model.at(id);
    CUTAWAY_TRY(const auto count, countOf(model, tensor));
    for (const std::uint64_t place : places)
        if (place >= count)
            return unreadable("the tensor has no such element", "element " + std::to_string(place));
    return readPlaces(model, tensor, places, digits);
}

} // namespace cutaway::ir
