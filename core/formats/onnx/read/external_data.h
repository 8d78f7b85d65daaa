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

/// The entries of TensorProto.external_data: keys and values, of which numbers are decimal texts.
using ExternalEntries = std::vector<std::pair<std::string_view, std::string_view>>;

/// The files beside a model that contain its weights. A file is looked for in the folder that the model was opened in,
/// and then, if the model is a link, beside the file that it links to. A file is accepted only if it is a regular file
/// below one of these folders, or a blob of the model hub's cache that the model was opened in; its path may be a link
/// to such a file. The files are not read here.
class ExternalData {
public:
    using Replacements = std::map<std::filesystem::path, std::filesystem::path>;
    /// `replacements` maps paths of files to the files that are read instead, whether or not there is a file at the
    /// path.
    ExternalData(ir::Model &model, Notes &notes, const std::filesystem::path &modelFile,
                 Replacements replacements = {});

    /// Returns the storage of a tensor of `byteLength` bytes. If that is nothing, the length in `entries` counts or,
    /// without one, the rest of the file. Tensors with the same range share one storage. A file that cannot be used
    /// gives a note and a storage without bytes; texts that are no numbers throw Unusable.
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
    /// An open file, or the reason why it cannot be read.
    using FileOrReason = std::variant<OpenFile, std::string>;

    static Range rangeOf(std::string_view tensor, const ExternalEntries &entries);
    const FileOrReason &file(const std::string &location);
    FileOrReason find(const std::string &location);
    std::filesystem::path pathOf(const std::string &location) const;
    bool isTrusted(const std::filesystem::path &file) const;
    ir::StorageId add(ir::Storage storage);

    ir::Model &m_model;
    Notes &m_notes;
    std::vector<std::filesystem::path> m_folders; ///< the folders that are searched, in this order
    std::vector<std::filesystem::path> m_roots; ///< the folders that files must lie below; their paths contain no links
    Replacements m_replacements;
    std::map<std::string, FileOrReason, std::less<>> m_files;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, ir::StorageId> m_storages;
};

} // namespace cutaway::formats::onnx
