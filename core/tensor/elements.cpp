// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/elements.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace cutaway::tensor {

namespace {

using ir::DType;

template <class T>
T loadElement(const std::byte *at, bool isBigEndian)
{
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), at, sizeof(T));
    if (isBigEndian)
        std::ranges::reverse(raw);
    return std::bit_cast<T>(raw);
}

/// Returns the dtype of an element's parts.
DType partType(DType dtype)
{
    switch (dtype) {
    case DType::Complex32:
        return DType::Float16;
    case DType::BComplex32:
        return DType::BFloat16;
    case DType::Complex64:
        return DType::Float32;
    case DType::Complex128:
        return DType::Float64;
    default:
        return dtype;
    }
}

/// Returns the numbers of all patterns of `bits` bits.
std::shared_ptr<const std::vector<double>> tableOf(DType dtype, std::size_t bits)
{
    const std::size_t patterns = std::size_t{1} << bits;
    std::vector<std::byte> bytes((patterns * bits + 7) / 8 + 1);
    for (std::size_t pattern = 0; pattern < patterns; ++pattern)
        for (std::size_t bit = 0; bit < bits; ++bit)
            if (pattern >> bit & 1)
                bytes[(pattern * bits + bit) / 8] |= std::byte{1} << (pattern * bits + bit) % 8;
    auto table = std::make_shared<std::vector<double>>();
    std::visit([&](const auto &numbers) { table->assign(numbers.begin(), numbers.end()); },
               ir::decodeNumbers(dtype, bytes, patterns));
    return table;
}

bool isContiguous(const ir::Tensor &tensor)
{
    std::int64_t expected = 1;
    const bool isEmpty = std::ranges::contains(tensor.shape, 0);
    if (tensor.strides && tensor.strides->size() != tensor.shape.size())
        return false;
    for (std::size_t d = tensor.shape.size(); tensor.strides && !isEmpty && d-- > 0;) {
        if (tensor.shape[d] != 1 && (*tensor.strides)[d] != expected)
            return false;
        expected *= tensor.shape[d]; // cannot overflow, because the number of elements does not
    }
    return true;
}

/// Makes the two float4 in a byte separate elements.
Result<void> unpackPairs(ir::Tensor &tensor)
{
    if (tensor.dtype != DType::Float4E2M1FNx2)
        return {};
    const auto elements = ir::elementCount(tensor);
    if (!elements || tensor.shape.empty() || !isContiguous(tensor) || !checkedMultiply<std::int64_t>(*elements, 2)
        || !checkedMultiply<std::int64_t>(tensor.offset, 2))
        return unreadable("pairs of float4 that do not lie one behind the other");
    tensor.dtype = DType::Float4E2M1FN;
    tensor.strides = nullptr;
    tensor.shape.back() *= 2;
    tensor.offset *= 2;
    return {};
}

/// Decodes the elements to memory: protobuf's lists of integers can only be decoded from their start, and are no
/// longer than a message; sparse tensors are made dense.
Result<std::shared_ptr<const std::vector<std::byte>>> decodedElements(const ir::Model &model, ir::TensorId id)
{
    auto bytes = std::make_shared<std::vector<std::byte>>();
    CUTAWAY_RETURN_IF_ERROR(ir::visitElements(
        model, id, [&](std::span<const std::byte> piece) { bytes->insert(bytes->end(), piece.begin(), piece.end()); }));
    return bytes;
}

} // namespace

Elements::Elements(ir::Tensor tensor, ir::StorageBytes source, Held held, std::uint64_t count)
    : m_tensor(std::move(tensor)),
      m_source(std::move(source)),
      m_held(std::move(held)),
      m_count(count),
      m_isComplex(ir::isComplex(m_tensor.dtype)),
      m_isContiguous(isContiguous(m_tensor))
{
    chooseDecoder();
}

void Elements::chooseDecoder()
{
    const DType part = partType(m_tensor.dtype);
    m_bits = static_cast<std::size_t>(*ir::bitWidth(part));
    if (m_bits <= 16) {
        m_table = tableOf(part, m_bits);
        m_decode = m_bits < 8 ? decodePacked : m_bits == 8 ? decodeByTable<std::uint8_t> : decodeByTable<std::uint16_t>;
    } else if (ir::isFloat(part)) {
        m_decode = m_bits == 32 ? decodePlain<float> : decodePlain<double>;
    } else if (ir::isSigned(part)) {
        m_decode = m_bits == 32 ? decodePlain<std::int32_t> : decodePlain<std::int64_t>;
    } else {
        m_decode = m_bits == 32 ? decodePlain<std::uint32_t> : decodePlain<std::uint64_t>;
    }
}

template <class T>
void Elements::decodePlain(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers)
{
    const std::byte *at = elements.m_source.bytes.data() + index * sizeof(T);
    const bool isBigEndian = elements.m_source.encoding == ir::FileRange::Encoding::BigEndian;
    for (std::size_t i = 0; i < count; ++i, at += sizeof(T))
        numbers[i] = static_cast<double>(loadElement<T>(at, isBigEndian));
}

template <class T>
void Elements::decodeByTable(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers)
{
    const std::byte *at = elements.m_source.bytes.data() + index * sizeof(T);
    const bool isBigEndian = elements.m_source.encoding == ir::FileRange::Encoding::BigEndian;
    const std::vector<double> &table = *elements.m_table;
    for (std::size_t i = 0; i < count; ++i, at += sizeof(T))
        numbers[i] = table[loadElement<T>(at, isBigEndian)];
}

/// Decodes elements of less than a byte, which are packed from the low bits.
void Elements::decodePacked(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers)
{
    const std::span<const std::byte> bytes = elements.m_source.bytes;
    const std::size_t bits = elements.m_bits;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bit = (index + i) * bits;
        auto window = std::to_integer<unsigned>(bytes[bit / 8]);
        if (bit % 8 + bits > 8)
            window |= std::to_integer<unsigned>(bytes[bit / 8 + 1]) << 8;
        numbers[i] = (*elements.m_table)[window >> bit % 8 & ((1u << bits) - 1)];
    }
}

/// Checks that the last element lies within the bytes, so that no range has to be checked later.
Result<void> Elements::checkReach() const
{
    const auto fault = [] { return unreadable("the data are shorter than the shape needs"); };
    std::optional<std::int64_t> last = m_count == 0 ? 0 : m_tensor.offset;
    for (std::size_t d = 0; m_count > 0 && last && !m_isContiguous && d < m_tensor.shape.size(); ++d) {
        const auto step = checkedMultiply(m_tensor.shape[d] - 1, (*m_tensor.strides)[d]);
        last = step && *step >= 0 ? checkedAdd(*last, *step) : std::nullopt;
    }
    if (last && m_isContiguous && m_count > 0)
        last = checkedAdd(*last, static_cast<std::int64_t>(m_count - 1));
    const auto elements = last && m_count > 0 ? checkedAdd<std::int64_t>(*last, 1) : last;
    const auto bytes = elements ? ir::byteSize(m_tensor.dtype, *elements) : std::nullopt;
    return bytes && static_cast<std::uint64_t>(*bytes) <= m_source.bytes.size() ? Result<void>() : fault();
}

Result<Elements> Elements::of(const ir::Model &model, ir::TensorId id)
{
    ir::Tensor tensor = model.at(id);
    const std::string name = sanitized(model.context->text(tensor.name));
    CUTAWAY_RETURN_IF_ERROR(located(name, unpackPairs(tensor)));
    if (!ir::isNumeric(tensor.dtype) && !ir::isComplex(tensor.dtype))
        return unreadable(formatted("elements of {} are no numbers", ir::name(tensor.dtype)), name);
    const auto count = ir::elementCount(tensor);
    const bool isSound = count && *count >= 0 && ir::byteSize(tensor) && tensor.offset >= 0
        && (!tensor.strides || tensor.strides->size() == tensor.shape.size());
    if (!isSound)
        return unreadable("the tensor's sizes make no sense", name);
    const ir::Storage &storage = model.at(tensor.storage);
    const bool isSparse = tensor.layout != ir::Layout::Strided;
    CUTAWAY_TRY(auto source, isSparse ? ir::StorageBytes() : located(name, ir::bytesOf(model, storage)));
    const auto *given = std::get_if<ir::InlineBytes>(&storage.data);
    Held held = given ? given->bytes : nullptr;
    if (isSparse || source.encoding == ir::FileRange::Encoding::Varints) {
        CUTAWAY_TRY(held, located(name, decodedElements(model, id)));
        source = ir::StorageBytes{*held, ir::FileRange::Encoding::LittleEndian, {}};
        tensor.strides = nullptr;
        tensor.offset = 0;
    }
    Elements elements(std::move(tensor), std::move(source), std::move(held), static_cast<std::uint64_t>(*count));
    CUTAWAY_RETURN_IF_ERROR(located(name, elements.checkReach()));
    return elements;
}

template <class Visit>
void Elements::forEachRun(std::uint64_t first, std::uint64_t count, const Visit &visit) const
{
    if (m_isContiguous)
        return visit(static_cast<std::uint64_t>(m_tensor.offset) + first, count);
    const std::size_t rank = m_tensor.shape.size();
    const bool hasRows = (*m_tensor.strides)[rank - 1] == 1;
    for (std::uint64_t done = 0; done < count;) {
        const auto column = (first + done) % static_cast<std::uint64_t>(m_tensor.shape[rank - 1]);
        const std::uint64_t inRow = static_cast<std::uint64_t>(m_tensor.shape[rank - 1]) - column;
        const std::uint64_t run = hasRows ? std::min(count - done, inRow) : 1;
        visit(*ir::storageIndex(m_tensor, first + done), run);
        done += run;
    }
}

void Elements::read(std::uint64_t first, std::span<double> numbers) const
{
    const std::uint64_t count = numbers.size() / width();
    assert(first <= m_count && count <= m_count - first);
    double *to = numbers.data();
    if (count > 0)
        forEachRun(first, count, [&](std::uint64_t index, std::uint64_t run) {
            m_decode(*this, index * width(), run * width(), to);
            to += run * width();
        });
}

void Elements::readBytes(std::uint64_t first, std::span<std::byte> bytes) const
{
    const std::size_t size = m_bits * width() / 8, part = m_bits / 8;
    assert(m_bits >= 8 && first + bytes.size() / size <= m_count);
    std::byte *to = bytes.data();
    if (!bytes.empty())
        forEachRun(first, bytes.size() / size, [&](std::uint64_t index, std::uint64_t run) {
            std::memcpy(to, m_source.bytes.data() + index * size, run * size);
            if (m_source.encoding == ir::FileRange::Encoding::BigEndian)
                for (std::byte *at = to; at < to + run * size; at += part)
                    std::reverse(at, at + part);
            to += run * size;
        });
}

Result<void> Elements::checkUnchanged() const
{
    return m_source.mapping ? m_source.mapping->checkUnchanged() : Result<void>();
}

} // namespace cutaway::tensor
