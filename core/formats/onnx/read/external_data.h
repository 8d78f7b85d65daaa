// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

#include <filesystem>
#include <map>
#include <tuple>
#include <variant>

namespace cutaway::formats::onnx {

/// TensorProto.external_data: keys and decimal texts.
using ExternalEntries = std::vector<std::pair<std::string_view, std::string_view>>;

/// The files beside a model that its weights lie in. A file is looked for in the folder that the model was opened in,
/// then beside the file that a link to the model leads to. It counts only if it is a regular file below one of these
/// folders, or a blob of the cache of a model hub that the model was opened in. Links may lead there; nothing of a file
/// is read here.
class ExternalData {
public:
    using Replacements = std::map<std::filesystem::path, std::filesystem::path>;
    /// `replacements` are files that are read in place of others, as long as these are not there.
    ExternalData(ir::Model &model, Notes &notes, const std::filesystem::path &modelFile,
                 Replacements replacements = {});

    /// The storage of a tensor of `byteLength` bytes (unknown: all that the file has). Tensors of the same range share
    /// one. A file that cannot be used gives a note and a storage without bytes; texts that are no numbers throw
    /// Unusable.
    ir::StorageId storage(std::string_view tensor, const ExternalEntries &entries,
                          std::optional<std::int64_t> byteLength);

private:
    struct Range {
        std::string location;
        std::uint64_t offset = 0;
        std::optional<std::uint64_t> length;
    };
    struct OpenFile {
        ir::FileId id;
        std::uint64_t size = 0;
    };
    /// The file, or why it cannot be read.
    using FileOrReason = std::variant<OpenFile, std::string>;

    static Range rangeOf(std::string_view tensor, const ExternalEntries &entries);
    const FileOrReason &file(const std::string &location);
    FileOrReason find(const std::string &location);
    std::filesystem::path pathOf(const std::string &location) const;
    bool isTrusted(const std::filesystem::path &file) const;
    ir::StorageId add(ir::Storage storage);

    ir::Model &m_model;
    Notes &m_notes;
    std::vector<std::filesystem::path> m_folders; ///< folders that are searched, in this order
    std::vector<std::filesystem::path> m_roots;   ///< folders that files may lie below, without links in their paths
    Replacements m_replacements;
    std::map<std::string, FileOrReason, std::less<>> m_files;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, ir::StorageId> m_storages;
};

} // namespace cutaway::formats::onnx
