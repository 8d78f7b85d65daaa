// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/storage_table.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/ir/context.h"

#include <algorithm>
#include <bit>

namespace cutaway::formats::archive {

namespace {

/// Returns how many bytes a strided tensor reaches from its storage's start; nothing for absurd sizes.
std::optional<std::uint64_t> reach(const ir::Tensor &tensor)
{
    if (std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size < 0; }) || tensor.offset < 0)
        return std::nullopt;
    const bool isEmpty = std::ranges::contains(tensor.shape, 0);
    std::optional<std::int64_t> last = isEmpty ? 0 : checkedAdd<std::int64_t>(tensor.offset, 1);
    for (std::size_t i = 0; !isEmpty && last && i < tensor.shape.size(); ++i) {
        const auto step = checkedMultiply(tensor.shape[i] - 1, tensor.strides->at(i));
        last = step && *step >= 0 ? checkedAdd(*last, *step) : std::nullopt;
    }
    const auto bytes = last ? ir::byteSize(tensor.dtype, *last) : std::nullopt;
    return bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

std::uint64_t declaredLength(const PickledStorage &storage)
{
    const auto bytes = ir::byteSize(storage.dtype.value_or(ir::DType::UInt8), storage.elements);
    return bytes ? static_cast<std::uint64_t>(*bytes) : 0;
}

} // namespace

StorageFolder storagesOf(const TorchSave &saved, std::string path)
{
    return {
        .path = std::move(path), .zip = saved.zip(), .members = saved.storageFolder(), .encoding = saved.encoding()};
}

ir::StorageId StorageTable::add(ir::Storage storage)
{
    m_model.storages.push_back(std::move(storage));
    return {static_cast<std::uint32_t>(m_model.storages.size() - 1)};
}

ir::StorageId StorageTable::missing(std::string reason, std::uint64_t byteLength)
{
    m_notes.warning(m_noteCode, reason);
    return add({ir::NoBytes{std::move(reason)}, byteLength});
}

Result<ir::Storage> StorageTable::read(const StorageFolder &folder, std::string_view key)
{
    const std::string name = folder.members + std::string(key);
    const Member *member = folder.zip.find(name);
    if (!member)
        return unreadable("the zip archive has no such member", "member " + sanitized(name));
    if (member->method == Member::Method::Stored && folder.file)
        return folder.zip.extent(*member).transform([&](const Extent &extent) {
            return ir::Storage{
                ir::FileRange{*folder.file, folder.offset + extent.offset, extent.length, folder.encoding},
                extent.length};
        });
    if (folder.encoding != ir::FileRange::Encoding::LittleEndian)
        return unreadable("the zip member is compressed, and its numbers are big-endian", "member " + sanitized(name));
    if (member->size > limits::maxInflatedWeights - m_inMemory)
        return unreadable("compressed weights inflate to more than "
                              + byteCount(static_cast<double>(limits::maxInflatedWeights)),
                          "member " + sanitized(name));
    CUTAWAY_TRY(const auto content, folder.zip.read(*member));
    const std::span<const std::byte> bytes = content.bytes();
    m_inMemory += bytes.size();
    return ir::Storage{ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())},
                       bytes.size()};
}

ir::StorageId StorageTable::whole(const StorageFolder &folder, std::string_view key)
{
    const std::string place = folder.path + std::string(key);
    const auto [known, isNew] = m_byPlace.try_emplace(place);
    if (!isNew)
        return known->second;
    auto found = read(folder, key);
    return known->second = found
        ? add(std::move(*found))
        : missing(formatted("the bytes of {} are missing: {}", sanitized(place), found.error().message), 0);
}

ir::StorageId StorageTable::storage(const PickledStorage &storage, const StorageFolder &folder)
{
    const std::string place = folder.path + storage.key;
    const auto [known, isNew] = m_byPlace.try_emplace(place);
    if (!isNew)
        return known->second;
    const std::uint64_t length = declaredLength(storage);
    if (storage.device == "meta")
        return known->second = add({ir::NoBytes{"a meta tensor"}, length});
    auto found = read(folder, storage.key);
    if (!found)
        return known->second = missing(
                   formatted("the bytes of {} are missing: {}", sanitized(place), found.error().message), length);
    if (found->byteLength < length)
        return known->second = missing(formatted("{} has {} of {}", sanitized(place),
                                                 byteCount(double(found->byteLength)), byteCount(double(length))),
                                       length);
    if (auto *range = std::get_if<ir::FileRange>(&found->data))
        range->length = length;
    found->byteLength = length;
    return known->second = add(std::move(*found));
}

Result<ir::Tensor> StorageTable::tensor(const PickledTensor &pickled, std::string_view name,
                                        const StorageFolder &folder)
{
    ir::Tensor tensor;
    tensor.name = m_model.context->name(name);
    tensor.dtype = pickled.dtype;
    tensor.shape = pickled.shape;
    tensor.layout = pickled.layout;
    tensor.requiresGrad = pickled.requiresGrad;
    if (pickled.layout == ir::Layout::Strided) {
        tensor.strides = pickled.strides;
        tensor.offset = pickled.offset;
    }
    tensor.storage = pickled.storage
        ? storage(*pickled.storage, folder)
        : add({ir::NoBytes{pickled.parts.empty() ? "a meta tensor" : "a sparse tensor; see its parts"}, 0});
    CUTAWAY_RETURN_IF_ERROR(fit(tensor, name));
    if (pickled.scale)
        tensor.parts = {number(ir::DType::Float64, std::bit_cast<std::uint64_t>(pickled.scale->scale), name, 0),
                        number(ir::DType::Int64, static_cast<std::uint64_t>(pickled.scale->zeroPoint), name, 1)};
    for (const PickledTensor &part : pickled.parts) {
        auto made = this->tensor(part, formatted("{}#{}", name, tensor.parts.size()), folder);
        if (!made)
            return made;
        m_model.tensors.push_back(std::move(*made));
        tensor.parts.push_back({static_cast<std::uint32_t>(m_model.tensors.size() - 1)});
    }
    return tensor;
}

/// Makes a tensor of the single scale or zero point of a quantized tensor, so that it can be a part, as the scales and
/// zero points of channels are. `bits` are those of the number.
ir::TensorId StorageTable::number(ir::DType dtype, std::uint64_t bits, std::string_view name, std::size_t part)
{
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (int byte = 0; byte < 8; ++byte)
        bytes->push_back(static_cast<std::byte>(bits >> (8 * byte)));
    ir::Tensor made;
    made.name = m_model.context->name(formatted("{}#{}", name, part));
    made.dtype = dtype;
    made.storage = add({ir::InlineBytes{std::move(bytes)}, sizeof bits});
    m_model.tensors.push_back(std::move(made));
    return {static_cast<std::uint32_t>(m_model.tensors.size() - 1)};
}

Result<void> StorageTable::fit(ir::Tensor &tensor, std::string_view name)
{
    const std::string shown = "tensor " + sanitized(name);
    if (tensor.layout != ir::Layout::Strided)
        return {};
    if (!tensor.strides || tensor.strides->size() != tensor.shape.size())
        return unreadable("it has not as many strides as sizes", shown);
    const auto wanted = reach(tensor);
    if (!wanted)
        return unreadable("its sizes, strides and offset reach no place in memory", shown);
    ir::Storage &storage = m_model.storages.edit(tensor.storage.index);
    if (std::holds_alternative<ir::NoBytes>(storage.data))
        storage.byteLength = std::max(storage.byteLength, *wanted);
    else if (*wanted > storage.byteLength)
        tensor.storage = missing(formatted("{} wants {} of a storage of {}", shown, byteCount(double(*wanted)),
                                           byteCount(double(storage.byteLength))),
                                 *wanted);
    return {};
}

} // namespace cutaway::formats::archive
