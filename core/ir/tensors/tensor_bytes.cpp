// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/tensors/tensor_bytes.h"

#include "core/base/checked.h"
#include "core/ir/context.h"
#include "core/ir/tensors/sparse_elements.h"

#include <algorithm>

namespace cutaway::ir {

namespace {

using Bytes = std::span<const std::byte>;
using Visit = std::function<void(Bytes)>;

constexpr std::uint64_t elementsAtOnce = 1 << 16;

Result<StorageBytes> bytesOf(const Model &model, const FileRange &range)
{
    const DataFile &file = model.at(range.file);
    StorageBytes source{{}, range.encoding, file.mapping};
    if (!source.mapping) {
        CUTAWAY_TRY(auto opened, MappedFile::open(file.path));
        source.mapping = std::make_shared<const MappedFile>(std::move(opened));
    }
    const Bytes all = source.mapping->bytes();
    const auto end = checkedAdd(range.offset, range.length);
    if (!end || *end > all.size())
        return unreadable("the data reach past the end of the file",
                          "byte " + std::to_string(range.offset) + " of " + file.path.filename().string());
    source.bytes = all.subspan(range.offset, range.length);
    return source;
}

std::unexpected<Error> tooShort(std::uint64_t element)
{
    return unreadable("the data are shorter than the shape needs", "element " + std::to_string(element));
}

bool isContiguous(const Tensor &tensor)
{
    std::int64_t expected = 1;
    for (std::size_t d = tensor.shape.size(); tensor.strides && d-- > 0;) {
        if (tensor.shape[d] != 1 && (*tensor.strides)[d] != expected)
            return false;
        expected *= tensor.shape[d]; // the caller has checked that this does not overflow
    }
    return true;
}

/// Visits contiguous elements without copying them.
Result<void> visitRun(const Tensor &tensor, Bytes bytes, const Visit &visit)
{
    const auto length = static_cast<std::uint64_t>(*byteSize(tensor));
    const auto start = byteSize(tensor.dtype, tensor.offset);
    if (!start || static_cast<std::uint64_t>(*start) > bytes.size()
        || length > bytes.size() - static_cast<std::uint64_t>(*start))
        return tooShort(0);
    visit(bytes.subspan(static_cast<std::size_t>(*start), length));
    return {};
}

/// Visits elements that have strides or the other byte order, one by one.
Result<void> gather(const Tensor &tensor, const StorageBytes &source, const Visit &visit)
{
    const auto width = static_cast<std::size_t>(bitWidth(tensor.dtype).value_or(8)) / 8;
    const auto count = static_cast<std::uint64_t>(*elementCount(tensor));
    std::vector<std::byte> block;
    for (std::uint64_t k = 0; k < count; ++k) {
        const auto index = storageIndex(tensor, k);
        const auto at = index ? checkedMultiply<std::uint64_t>(*index, width) : std::nullopt;
        if (!at || *at > source.bytes.size() || source.bytes.size() - *at < width)
            return tooShort(k);
        const Bytes element = source.bytes.subspan(*at, width);
        if (source.encoding == FileRange::Encoding::BigEndian)
            block.insert(block.end(), element.rbegin(), element.rend());
        else
            block.insert(block.end(), element.begin(), element.end());
        if ((k + 1) % elementsAtOnce == 0) {
            visit(block);
            block.clear();
        }
    }
    visit(block);
    return {};
}

/// Visits varints: one per element or, for dtypes of less than a byte, one per byte of packed elements.
Result<void> visitVarints(const Tensor &tensor, Bytes bytes, const Visit &visit)
{
    const auto width = static_cast<std::size_t>(std::max(1, bitWidth(tensor.dtype).value_or(8) / 8));
    const auto length = static_cast<std::uint64_t>(*byteSize(tensor));
    for (std::uint64_t done = 0; done < length;) {
        const auto [words, used] = decodeVarints(bytes, std::min(elementsAtOnce, (length - done) / width));
        if (words.empty())
            return tooShort(done / width);
        std::vector<std::byte> block;
        for (std::size_t i = 0; i < words.size(); i += 8)
            block.insert(block.end(), words.begin() + static_cast<std::ptrdiff_t>(i),
                         words.begin() + static_cast<std::ptrdiff_t>(i + width));
        visit(block);
        done += block.size();
        bytes = bytes.subspan(used);
    }
    return {};
}

Result<void> visitElements(const Tensor &tensor, const StorageBytes &source, const Visit &visit)
{
    const int bits = bitWidth(tensor.dtype).value_or(8);
    if (source.encoding == FileRange::Encoding::Varints)
        return visitVarints(tensor, source.bytes, visit);
    if (isContiguous(tensor) && (source.encoding == FileRange::Encoding::LittleEndian || bits <= 8))
        return visitRun(tensor, source.bytes, visit);
    if (bits < 8)
        return unreadable("elements smaller than a byte that do not lie one behind the other");
    return gather(tensor, source, visit);
}

} // namespace

Result<StorageBytes> bytesOf(const Model &model, const Storage &storage)
{
    if (const auto *range = std::get_if<FileRange>(&storage.data))
        return bytesOf(model, *range);
    if (const auto *held = std::get_if<InlineBytes>(&storage.data))
        return StorageBytes{*held->bytes, FileRange::Encoding::LittleEndian, {}};
    const auto *none = std::get_if<NoBytes>(&storage.data);
    return unreadable(none != nullptr ? none->reason : "text elements have no bytes");
}

DecodedVarints decodeVarints(Bytes bytes, std::uint64_t count)
{
    DecodedVarints decoded;
    std::size_t at = 0;
    while (at < bytes.size() && decoded.words.size() / 8 < count) {
        std::uint64_t value = 0;
        for (unsigned shift = 0; at < bytes.size() && shift < 70; shift += 7) {
            const auto b = static_cast<std::uint64_t>(bytes[at++]);
            value |= shift < 64 ? (b & 0x7F) << shift : 0;
            if ((b & 0x80) == 0)
                break;
        }
        const auto *raw = reinterpret_cast<const std::byte *>(&value);
        decoded.words.insert(decoded.words.end(), raw, raw + sizeof value);
    }
    decoded.used = at;
    return decoded;
}

std::optional<std::uint64_t> storageIndex(const Tensor &tensor, std::uint64_t k)
{
    if (!tensor.strides)
        return checkedAdd(k, static_cast<std::uint64_t>(tensor.offset));
    std::optional<std::int64_t> index = tensor.offset;
    for (std::size_t d = tensor.shape.size(); d-- > 0 && index;) {
        const auto size = static_cast<std::uint64_t>(tensor.shape[d]);
        const auto step = checkedMultiply(static_cast<std::int64_t>(k % size), (*tensor.strides)[d]);
        index = step ? checkedAdd(*index, *step) : std::nullopt;
        k /= size;
    }
    return index && *index >= 0 ? std::optional(static_cast<std::uint64_t>(*index)) : std::nullopt;
}

Result<void> visitElements(const Model &model, TensorId id, const Visit &visit)
{
    const Tensor &tensor = model.at(id);
    if (!byteSize(tensor) || tensor.offset < 0 || (tensor.strides && tensor.strides->size() != tensor.shape.size()))
        return unreadable("the tensor's sizes make no sense", std::string(model.context->text(tensor.name)));
    if (tensor.layout != Layout::Strided) {
        CUTAWAY_TRY(const auto dense, denseBytes(model, tensor));
        visit(dense);
        return {};
    }
    if (*byteSize(tensor) == 0)
        return {};
    CUTAWAY_TRY(const auto source, bytesOf(model, model.at(tensor.storage)));
    auto visited = visitElements(tensor, source, visit);
    if (source.mapping)
        CUTAWAY_RETURN_IF_ERROR(source.mapping->checkUnchanged());
    return visited;
}

} // namespace cutaway::ir
