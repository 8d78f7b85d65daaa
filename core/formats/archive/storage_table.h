// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/archive/torch_save.h"
#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

#include <optional>
#include <unordered_map>

namespace cutaway::formats::archive {

/// Where the storages of one pickle lie: they are members of an archive, which has to outlive this object.
struct StorageFolder {
    std::string path; ///< "model/data/"; a path and a key together identify a storage
    const Zip &zip;
    std::string members; ///< the prefix of the members' names
    /// The file that the archive lies in; nothing: the archive lies in memory.
    std::optional<ir::FileId> file = ir::FileId{0};
    std::uint64_t offset = 0; ///< the position of the archive in that file
    ir::FileRange::Encoding encoding = ir::FileRange::Encoding::LittleEndian;
};
StorageFolder storagesOf(const TorchSave &saved, std::string path = "data/");

/// Adds the storages that tensors are views of to a model, each once. It reads only compressed members, up to a
/// limit. A storage that is missing or too short stays without bytes, and a note says so.
class StorageTable {
public:
    StorageTable(ir::Model &model, Notes &notes, std::string noteCode)
        : m_model(model),
          m_notes(notes),
          m_noteCode(std::move(noteCode))
    {
    }

    /// Returns a storage that consists of all bytes of a member.
    ir::StorageId whole(const StorageFolder &folder, std::string_view key);

    /// Returns the tensor that a pickle describes, after fit(). Its parts have already become tensors of the model,
    /// called "name#0", … Errors: those of fit().
    Result<ir::Tensor> tensor(const PickledTensor &pickled, std::string_view name, const StorageFolder &folder);

    /// Compares a tensor with its storage. A tensor that reaches beyond its storage keeps its shape and loses its
    /// bytes. Errors: sizes, strides and offset that no memory can have.
    Result<void> fit(ir::Tensor &tensor, std::string_view name);

private:
    ir::StorageId storage(const PickledStorage &storage, const StorageFolder &folder);
    /// Returns the storage in a member: a range of the file, or bytes in memory if the member is compressed or the
    /// archive lies in memory. Errors: there is no such member; compressed weights that are big-endian, or too many;
    /// those of Zip::read().
    Result<ir::Storage> read(const StorageFolder &folder, std::string_view key);
    ir::StorageId add(ir::Storage storage);
    ir::TensorId number(ir::DType dtype, std::uint64_t bits, std::string_view name, std::size_t part);
    ir::StorageId missing(std::string reason, std::uint64_t byteLength);

    ir::Model &m_model;
    Notes &m_notes;
    std::string m_noteCode;
    std::unordered_map<std::string, ir::StorageId> m_byPlace;
    std::uint64_t m_inMemory = 0; ///< the number of bytes that were copied to memory
};

} // namespace cutaway::formats::archive
