// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/weights.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/archive/torch_save.h"
#include "core/formats/pt2/enums.h"
#include "core/formats/pt2/json.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

using archive::Extent;
using archive::Member;
using archive::TorchSave;

/// The bytes a strided tensor reaches from its storage's start; nothing for absurd sizes.
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

/// Digits after one of the writer's own prefixes; another path would point outside.
bool isPayloadName(std::string_view name)
{
    for (const std::string_view prefix : {"weight_", "tensor_", "custom_obj_", "opaque_obj_"})
        if (name.starts_with(prefix) && name.size() > prefix.size())
            return name.find_first_not_of("0123456789", prefix.size()) == name.npos;
    return false;
}

std::optional<std::vector<std::int64_t>> integers(Json symInts)
{
    if (!symInts.isArray())
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    bool allNumbers = true;
    symInts.forEach([&](Json item) {
        const auto n = item["as_int"].integer();
        allNumbers &= n.has_value();
        numbers.push_back(n.value_or(0));
    });
    return allNumbers ? std::optional(numbers) : std::nullopt;
}

/// The view that a payload's "tensor_meta" describes, without a storage.
std::optional<ir::Tensor> tensorOf(Json meta)
{
    const auto dtype = dtypeFromNumber(meta["dtype"].integer().value_or(0));
    auto shape = integers(meta["sizes"]);
    auto strides = integers(meta["strides"]);
    if (!dtype || !shape || !strides || shape->size() != strides->size())
        return std::nullopt;
    ir::Tensor tensor;
    tensor.dtype = *dtype;
    tensor.shape = std::move(*shape);
    tensor.strides = std::move(*strides);
    tensor.offset = meta["storage_offset"]["as_int"].integer().value_or(0);
    tensor.requiresGrad = meta["requires_grad"].boolean().value_or(false);
    tensor.layout = layoutFromNumber(meta["layout"].integer().value_or(0)).value_or(ir::Layout::Strided);
    return tensor;
}

class WeightReader {
public:
    WeightReader(Reading &reading, const Package &package, ir::FileId file)
        : m_reading(reading),
          m_package(package),
          m_file(file),
          m_bigEndian(package.isBigEndian())
    {
    }

    bool readTorchSave(std::string_view path);
    void readConfig(std::string_view folder, std::string_view program, std::string_view kind);
    void noteAbsent(std::string path) { m_weights.absent.push_back(std::move(path)); }
    Weights take() { return std::move(m_weights); }

private:
    void readPayload(std::string_view folder, std::string_view name, Json payload);
    void readPickledPayload(const std::string &path, std::string_view name);
    void fit(ir::Tensor &tensor, std::string_view name);
    void add(std::string_view name, ir::Tensor tensor);
    ir::Tensor convert(const archive::PickledTensor &pickled, std::string_view name, const TorchSave &saved,
                       const Member &member);
    ir::StorageId rawStorage(const std::string &path);
    ir::StorageId savedStorage(const archive::PickledStorage &storage, const TorchSave &saved, const Member &member);
    ir::StorageId addStorage(ir::Storage storage);
    ir::StorageId missingStorage(std::string reason, std::uint64_t byteLength);
    std::optional<TorchSave> openSaved(const Member &member);

    Reading &m_reading;
    const Package &m_package;
    ir::FileId m_file;
    bool m_bigEndian;
    Weights m_weights;
    std::unordered_map<std::string, ir::StorageId> m_storages;
};

ir::StorageId WeightReader::addStorage(ir::Storage storage)
{
    auto &storages = m_reading.model.storages;
    storages.push_back(std::move(storage));
    return {static_cast<std::uint32_t>(storages.size() - 1)};
}

ir::StorageId WeightReader::missingStorage(std::string reason, std::uint64_t byteLength)
{
    m_reading.warn("pt2.weights", reason);
    return addStorage({ir::NoBytes{std::move(reason)}, byteLength});
}

/// A tensor that reaches beyond its storage keeps its shape and loses its bytes.
void WeightReader::fit(ir::Tensor &tensor, std::string_view name)
{
    const std::string shown = "tensor " + sanitized(name);
    if (tensor.layout != ir::Layout::Strided)
        return;
    if (!tensor.strides || tensor.strides->size() != tensor.shape.size())
        return m_reading.fail("it has not as many strides as sizes", shown);
    const auto wanted = reach(tensor);
    if (!wanted)
        return m_reading.fail("its sizes, strides and offset reach no place in memory", shown);
    ir::Storage &storage = m_reading.model.storages[tensor.storage.index];
    if (std::holds_alternative<ir::NoBytes>(storage.data))
        storage.byteLength = std::max(storage.byteLength, *wanted);
    else if (*wanted > storage.byteLength)
        tensor.storage = missingStorage(shown + " wants " + byteCount(double(*wanted)) + " of a storage of "
                                            + byteCount(double(storage.byteLength)),
                                        *wanted);
}

void WeightReader::add(std::string_view name, ir::Tensor tensor)
{
    fit(tensor, name);
    if (!m_reading.failed())
        m_weights.tensors.insert_or_assign(std::string(name), std::move(tensor));
}

std::optional<TorchSave> WeightReader::openSaved(const Member &member)
{
    const auto extent = m_package.zip.extent(member);
    Result<TorchSave> saved = member.method != Member::Method::Stored ? unreadable("it is compressed")
        : extent ? TorchSave::open(m_package.bytes.subspan(extent->offset, extent->length))
                 : std::unexpected(extent.error());
    if (saved)
        return std::move(*saved);
    m_reading.warn("pt2.weights",
                   "the weights in " + sanitized(member.name) + " cannot be read: " + saved.error().text());
    return std::nullopt;
}

bool WeightReader::readTorchSave(std::string_view path)
{
    const Member *member = m_package.find(path);
    if (!member)
        return false;
    if (member->size == 0)
        return true;
    const auto saved = openSaved(*member);
    const auto entries = saved ? saved->pickle().entries(saved->pickle().root()) : std::nullopt;
    if (!entries)
        return true;
    for (const auto &[key, value] : *entries) {
        const auto name = saved->pickle().text(key);
        if (!name)
            continue;
        if (const auto tensor = archive::pickledTensor(saved->pickle(), value))
            add(*name, convert(*tensor, *name, *saved, *member));
        else
            m_weights.objects.emplace(*name, member->name);
    }
    return true;
}

ir::Tensor WeightReader::convert(const archive::PickledTensor &pickled, std::string_view name, const TorchSave &saved,
                                 const Member &member)
{
    ir::Tensor tensor;
    tensor.dtype = pickled.dtype;
    tensor.shape = pickled.shape;
    tensor.layout = pickled.layout;
    tensor.requiresGrad = pickled.requiresGrad;
    if (pickled.layout == ir::Layout::Strided) {
        tensor.strides = pickled.strides;
        tensor.offset = pickled.offset;
    }
    tensor.storage = pickled.storage
        ? savedStorage(*pickled.storage, saved, member)
        : addStorage({ir::NoBytes{pickled.parts.empty() ? "a meta tensor" : "a sparse tensor; see its parts"}, 0});
    for (const archive::PickledTensor &part : pickled.parts) {
        ir::Tensor converted = convert(part, name, saved, member);
        fit(converted, name);
        converted.name = m_reading.name(std::string(name) + "#" + std::to_string(tensor.parts.size()));
        m_reading.model.tensors.push_back(std::move(converted));
        tensor.parts.push_back({static_cast<std::uint32_t>(m_reading.model.tensors.size() - 1)});
    }
    return tensor;
}

ir::StorageId WeightReader::savedStorage(const archive::PickledStorage &storage, const TorchSave &saved,
                                         const Member &member)
{
    const std::string place = std::string(member.name) + "/data/" + storage.key;
    const auto [known, isNew] = m_storages.try_emplace(place);
    if (!isNew)
        return known->second;
    const auto declared = storage.dtype ? ir::byteSize(*storage.dtype, storage.elements)
                                        : ir::byteSize(ir::DType::UInt8, storage.elements);
    const std::uint64_t length = declared ? static_cast<std::uint64_t>(*declared) : 0;
    const auto outer = m_package.zip.extent(member);
    const auto inner = saved.storage(storage.key);
    if (storage.device == "meta")
        known->second = addStorage({ir::NoBytes{"a meta tensor"}, length});
    else if (!inner || !outer)
        known->second = missingStorage("the bytes of " + sanitized(place) + " are missing", length);
    else if (inner->length < length)
        known->second = missingStorage(
            sanitized(place) + " has " + byteCount(double(inner->length)) + " of " + byteCount(double(length)), length);
    else
        known->second = addStorage({ir::FileRange{m_file, outer->offset + inner->offset, length,
                                                  saved.isBigEndian() ? ir::FileRange::Encoding::BigEndian
                                                                      : ir::FileRange::Encoding::LittleEndian},
                                    length});
    return known->second;
}

/// data/weights/NAME_weights_config.json: {"config": {name: payload}}
void WeightReader::readConfig(std::string_view folder, std::string_view program, std::string_view kind)
{
    const std::string path = std::string(folder).append(program).append("_").append(kind).append("_config.json");
    const Member *member = m_package.find(path);
    if (!member)
        return noteAbsent(path);
    const auto content = m_package.zip.read(*member);
    const auto document = content ? JsonDocument::parse(content->text(), path) : std::unexpected(content.error());
    if (!document)
        return m_reading.warn("pt2.weights",
                              "the list of " + std::string(kind) + " cannot be read: " + document.error().text());
    document->root()["config"].forEachMember(
        [&](std::string_view name, Json payload) { readPayload(folder, name, payload); });
}

void WeightReader::readPayload(std::string_view folder, std::string_view name, Json payload)
{
    const auto file = payload["path_name"].text();
    if (!file || !isPayloadName(*file))
        return m_reading.warn("pt2.weights",
                              "tensor " + sanitized(name) + ": the path " + sanitized(file.value_or(""))
                                  + " is none of a payload");
    const std::string path = std::string(folder).append(*file);
    if (file->contains("_obj_"))
        m_weights.objects.emplace(name, path);
    else if (payload["use_pickle"].boolean().value_or(false))
        readPickledPayload(path, name);
    else if (auto tensor = tensorOf(payload["tensor_meta"])) {
        tensor->storage = rawStorage(path);
        add(name, std::move(*tensor));
    } else
        m_reading.warn("pt2.weights", "tensor " + sanitized(name) + ": its description cannot be read");
}

/// A tensor subclass, or a sparse or quantized tensor: a torch.save file of its own.
void WeightReader::readPickledPayload(const std::string &path, std::string_view name)
{
    const Member *member = m_package.find(path);
    const auto saved = member ? openSaved(*member) : std::nullopt;
    const auto tensor = saved ? archive::pickledTensor(saved->pickle(), saved->pickle().root()) : std::nullopt;
    if (tensor)
        add(name, convert(*tensor, name, *saved, *member));
    else
        m_weights.objects.emplace(name, path);
}

ir::StorageId WeightReader::rawStorage(const std::string &path)
{
    const auto [known, isNew] = m_storages.try_emplace(path);
    if (!isNew)
        return known->second;
    const Member *member = m_package.find(path);
    const auto extent = member ? m_package.zip.extent(*member) : unreadable("");
    if (!extent)
        known->second = missingStorage("the bytes of " + sanitized(path) + " are missing", 0);
    else if (member->method != Member::Method::Stored)
        known->second = missingStorage("the bytes of " + sanitized(path) + " are compressed", member->size);
    else
        known->second = addStorage(
            {ir::FileRange{m_file, extent->offset, extent->length,
                           m_bigEndian ? ir::FileRange::Encoding::BigEndian : ir::FileRange::Encoding::LittleEndian},
             extent->length});
    return known->second;
}

} // namespace

Weights readWeights(Reading &reading, const Package &package, std::string_view program, ir::FileId file)
{
    WeightReader reader(reading, package, file);
    if (package.layout == Package::Layout::Flat) {
        // torch 2.1 called the same files .json.
        for (const std::string stem : {"serialized_state_dict", "serialized_constants"})
            if (!reader.readTorchSave(stem + ".pt") && !reader.readTorchSave(stem + ".json"))
                reader.noteAbsent(stem + ".pt");
        return reader.take();
    }
    for (const std::string kind : {"weights", "constants"}) {
        const std::string folder = "data/" + kind + "/";
        if (!reader.readTorchSave(folder + std::string(program) + ".pt")) // the first release of this layout
            reader.readConfig(folder, program, kind);
    }
    return reader.take();
}

} // namespace cutaway::formats::pt2
