// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/reader.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/probe.h"
#include "core/formats/notes/notes.h"
#include "core/formats/safetensors/dtypes.h"
#include "core/formats/safetensors/header.h"
#include "core/formats/safetensors/index.h"
#include "core/formats/tensor_list/tensor_list.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <algorithm>
#include <map>

namespace cutaway::formats::safetensors {

namespace {

void checkLength(const Described &described, const ir::Tensor &tensor)
{
    const auto wanted = ir::byteSize(tensor);
    if (!wanted || static_cast<std::uint64_t>(*wanted) != described.end - described.begin)
        unusable(formatted("it has {} bytes, and its shape and dtype need {}", described.end - described.begin,
                           wanted ? std::to_string(*wanted) : "more than there can be"),
                 "tensor " + sanitized(described.name));
}

ir::StorageId addRange(ir::Model &model, ir::FileId file, const Described &described)
{
    const std::uint64_t length = described.end - described.begin;
    model.storages.push_back({ir::FileRange{file, described.begin, length}, length});
    return {static_cast<std::uint32_t>(model.storages.size() - 1)};
}

void addTensor(ir::Model &model, ir::FileId file, const Described &described, Notes &notes)
{
    const auto dtype = dtypeOf(described.dtype);
    if (!dtype) {
        notes.warning("safetensors.dtype",
                      formatted("the tensor {} is left out: its element type {} is not known", shown(described.name),
                                shown(described.dtype)));
        return;
    }
    ir::Tensor tensor;
    tensor.name = model.context->name(described.name);
    tensor.dtype = *dtype;
    tensor.shape = described.shape;
    checkLength(described, tensor);
    tensor.storage = addRange(model, file, described);
    model.tensors.push_back(std::move(tensor));
}

/// Adds the tensors of a file for which isWanted() is true.
template <class IsWanted>
void addFile(ir::Model &model, std::span<const std::byte> bytes, ir::DataFile file, Notes &notes,
             const IsWanted &isWanted)
{
    const Header header = orThrow(readHeader(bytes));
    const ir::FileId id{static_cast<std::uint32_t>(model.files.size())};
    model.files.push_back(std::move(file));
    for (const Described &described : header.tensors)
        if (isWanted(described.name))
            addTensor(model, id, described, notes);
    if (header.unused > 0)
        notes.warning("safetensors.unused",
                      formatted("{} of the file are of no tensor", byteCount(static_cast<double>(header.unused))));
    for (const auto &each : header.metadata)
        if (!std::ranges::contains(model.metadata, each))
            model.metadata.push_back(each);
}

ir::Model emptyModel(const std::filesystem::path &path)
{
    ir::Model model;
    model.path = path.string();
    model.format = "safetensors";
    model.name = path.stem().string();
    return model;
}

ir::Model modelOf(std::span<const std::byte> bytes, ir::DataFile file)
{
    ir::Model model = emptyModel(file.path);
    Notes notes(model);
    addFile(model, bytes, std::move(file), notes, [](const std::string &) { return true; });
    notes.finish();
    finishTensorList(model);
    return model;
}

/// Reads a model of several files; from each file come the tensors that the index expects there.
class IndexedModel {
public:
    IndexedModel(const archive::Probe &file, const Task &task)
        : m_index(orThrow(readIndex(file))),
          m_folder(file.path().parent_path()),
          m_model(emptyModel(file.path())),
          m_notes(m_model),
          m_task(task)
    {
        for (const auto &[tensor, number] : m_index.tensors)
            m_missing.emplace(tensor, number);
    }

    ir::Model read()
    {
        for (std::size_t number = 0; number < m_index.files.size(); ++number) {
            m_task.report("reading", number, m_index.files.size());
            if (m_task.stopRequested())
                throw Unusable(cancelled().error());
            addPart(number);
        }
        for (const auto &[tensor, number] : m_missing)
            m_notes.warning("safetensors.missing",
                            formatted("the tensor {} is left out: {} does not have it", shown(tensor),
                                      shown(m_index.files[number])));
        m_notes.finish();
        finishTensorList(m_model);
        return std::move(m_model);
    }

private:
    void addPart(std::size_t number)
    {
        const std::filesystem::path path = m_folder / m_index.files[number];
        auto mapped = MappedFile::open(path);
        if (!mapped)
            return m_notes.warning(
                "safetensors.file",
                formatted("the file {} cannot be read: {}", shown(m_index.files[number]), mapped.error().text()));
        const auto file = std::make_shared<const MappedFile>(std::move(*mapped));
        const auto added = resultOf([&] {
            addFile(m_model, file->bytes(), {path, file}, m_notes, [&](const std::string &tensor) {
                const auto wanted = m_missing.find(tensor);
                const bool isWanted = wanted != m_missing.end() && wanted->second == number;
                if (isWanted)
                    m_missing.erase(wanted);
                return isWanted;
            });
        });
        if (!added)
            throw Unusable(added.error().in(sanitized(m_index.files[number])));
    }

    Index m_index;
    std::filesystem::path m_folder;
    ir::Model m_model;
    Notes m_notes;
    const Task &m_task;
    std::map<std::string, std::size_t> m_missing; ///< by name of a tensor not found yet: the index of its file
};

} // namespace

bool sniff(const archive::Probe &file) { return looksLikeSafetensors(file.bytes()) || looksLikeIndex(file); }

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    if (looksLikeIndex(file))
        return resultOf([&] { return IndexedModel(file, task).read(); });
    return readBytes(file.bytes(), file.file());
}

Result<ir::Model> readBytes(std::span<const std::byte> bytes, ir::DataFile file)
{
    return resultOf([&] { return modelOf(bytes, std::move(file)); });
}

} // namespace cutaway::formats::safetensors
