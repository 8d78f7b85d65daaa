// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/weights.h"

#include "core/base/text.h"
#include "core/formats/archive/storage_table.h"
#include "core/formats/pt2/json.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

using archive::Member;
using archive::TorchSave;

/// Whether a name is one of torch's prefixes and digits; another path might point outside of the folder.
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

/// Returns the tensor that a payload's "tensor_meta" describes, without a storage.
std::optional<ir::Tensor> tensorOf(Json meta)
{
    const auto dtype = ir::dtypeFromNumber(meta["dtype"].integer().value_or(0), ir::Numbering::ExportedProgram);
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
    tensor.layout = ir::layoutFromNumber(meta["layout"].integer().value_or(0), ir::Numbering::ExportedProgram)
                        .value_or(ir::Layout::Strided);
    return tensor;
}

/// A torch.save file in the package.
struct SavedMember {
    archive::Content content; ///< the content that `file` refers to
    TorchSave file;
};

class WeightReader {
public:
    WeightReader(Reading &reading, const Package &package, ir::FileId file)
        : m_reading(reading),
          m_package(package),
          m_file(file),
          m_encoding(archive::encodingOf(package.zip)),
          m_storages(reading.model, reading.notes, "pt2.weights")
    {
    }

    bool readTorchSave(std::string_view path);
    void readConfig(std::string_view folder, std::string_view program, std::string_view kind);
    void noteAbsent(std::string path) { m_weights.absent.push_back(std::move(path)); }
    Weights take() { return std::move(m_weights); }

private:
    void readPayload(std::string_view folder, std::string_view name, Json payload);
    void readPickledPayload(const std::string &path, std::string_view name);
    void add(std::string_view name, Result<ir::Tensor> tensor);
    Result<ir::Tensor> savedTensor(const archive::PickledTensor &pickled, std::string_view name, const TorchSave &saved,
                                   const Member &member);
    ir::StorageId rawStorage(const std::string &path);
    Result<archive::Content> contentOf(const Member &member) const;
    std::optional<SavedMember> openSaved(const Member &member);

    Reading &m_reading;
    const Package &m_package;
    ir::FileId m_file;
    ir::FileRange::Encoding m_encoding;
    Weights m_weights;
    archive::StorageTable m_storages;
};

void WeightReader::add(std::string_view name, Result<ir::Tensor> tensor)
{
    if (!tensor)
        m_reading.fail(std::move(tensor.error().message), std::move(tensor.error().where));
    m_weights.tensors.insert_or_assign(std::string(name), std::move(*tensor));
}

/// Returns the content of a member. For a stored member it is a view, so that no weight is read.
Result<archive::Content> WeightReader::contentOf(const Member &member) const
{
    if (member.method != Member::Method::Stored)
        return m_package.zip.read(member);
    return m_package.zip.extent(member).transform([&](const archive::Extent &extent) {
        return archive::Content(m_package.bytes.subspan(extent.offset, extent.length));
    });
}

std::optional<SavedMember> WeightReader::openSaved(const Member &member)
{
    auto content = contentOf(member);
    Result<TorchSave> saved = content ? TorchSave::open(content->bytes()) : std::unexpected(content.error());
    if (saved)
        return SavedMember{std::move(*content), std::move(*saved)};
    m_reading.notes.warning("pt2.weights",
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
    const auto entries = saved ? saved->file.pickle().entries(saved->file.pickle().root()) : std::nullopt;
    if (!entries)
        return true;
    for (const auto &[key, value] : *entries) {
        const auto name = saved->file.pickle().text(key);
        if (!name)
            continue;
        if (const auto tensor = archive::pickledTensor(saved->file.pickle(), value))
            add(*name, savedTensor(*tensor, *name, saved->file, *member));
        else
            m_weights.objects.emplace(*name, member->name);
    }
    return true;
}

Result<ir::Tensor> WeightReader::savedTensor(const archive::PickledTensor &pickled, std::string_view name,
                                             const TorchSave &saved, const Member &member)
{
    archive::StorageFolder folder = storagesOf(saved, std::string(member.name) + "/data/");
    const auto extent = m_package.zip.extent(member);
    const bool isInPlace = extent && member.method == Member::Method::Stored;
    folder.file = isInPlace ? std::optional(m_file) : std::nullopt;
    folder.offset = isInPlace ? extent->offset : 0;
    return m_storages.tensor(pickled, name, folder);
}

/// Reads data/weights/NAME_weights_config.json: {"config": {name: payload}}.
void WeightReader::readConfig(std::string_view folder, std::string_view program, std::string_view kind)
{
    const std::string path = std::string(folder).append(program).append("_").append(kind).append("_config.json");
    const Member *member = m_package.find(path);
    if (!member)
        return noteAbsent(path);
    const auto content = m_package.zip.read(*member);
    const auto document = content ? JsonDocument::parse(content->text(), path) : std::unexpected(content.error());
    if (!document)
        return m_reading.notes.warning(
            "pt2.weights", "the list of " + std::string(kind) + " cannot be read: " + document.error().text());
    document->root()["config"].forEachMember(
        [&](std::string_view name, Json payload) { readPayload(folder, name, payload); });
}

void WeightReader::readPayload(std::string_view folder, std::string_view name, Json payload)
{
    const auto file = payload["path_name"].text();
    if (!file || !isPayloadName(*file))
        return m_reading.notes.warning("pt2.weights",
                                       "tensor " + sanitized(name) + ": the path " + sanitized(file.value_or(""))
                                           + " is none of a payload");
    const std::string path = std::string(folder).append(*file);
    if (file->contains("_obj_"))
        m_weights.objects.emplace(name, path);
    else if (payload["use_pickle"].boolean().value_or(false))
        readPickledPayload(path, name);
    else if (auto tensor = tensorOf(payload["tensor_meta"])) {
        tensor->storage = rawStorage(path);
        const auto fitted = m_storages.fit(*tensor, name);
        add(name, fitted ? Result<ir::Tensor>(std::move(*tensor)) : std::unexpected(fitted.error()));
    } else
        m_reading.notes.warning("pt2.weights", "tensor " + sanitized(name) + ": its description cannot be read");
}

/// Reads a tensor subclass, or a sparse or quantized tensor, which has a torch.save file of its own.
void WeightReader::readPickledPayload(const std::string &path, std::string_view name)
{
    const Member *member = m_package.find(path);
    const auto saved = member ? openSaved(*member) : std::nullopt;
    const auto tensor =
        saved ? archive::pickledTensor(saved->file.pickle(), saved->file.pickle().root()) : std::nullopt;
    if (tensor)
        add(name, savedTensor(*tensor, name, saved->file, *member));
    else
        m_weights.objects.emplace(name, path);
}

ir::StorageId WeightReader::rawStorage(const std::string &path)
{
    const archive::StorageFolder folder{.path = "",
                                        .zip = m_package.zip,
                                        .members = std::string(m_package.root),
                                        .file = m_file,
                                        .encoding = m_encoding};
    return m_storages.whole(folder, path);
}

} // namespace

Weights readWeights(Reading &reading, const Package &package, std::string_view program, ir::FileId file)
{
    WeightReader reader(reading, package, file);
    if (package.layout == Package::Layout::Flat) {
        // torch 2.1 gave the same files the suffix .json.
        for (const std::string stem : {"serialized_state_dict", "serialized_constants"})
            if (!reader.readTorchSave(stem + ".pt") && !reader.readTorchSave(stem + ".json"))
                reader.noteAbsent(stem + ".pt");
        return reader.take();
    }
    for (const std::string kind : {"weights", "constants"}) {
        const std::string folder = "data/" + kind + "/";
        // The first release with this layout writes a single torch.save file.
        if (!reader.readTorchSave(folder + std::string(program) + ".pt"))
            reader.readConfig(folder, program, kind);
    }
    return reader.take();
}

} // namespace cutaway::formats::pt2
