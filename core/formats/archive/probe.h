// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/torch_save.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace cutaway::formats::archive {

/// A file while it is opened: each format is asked whether it knows the file, and one reads it. The zip directory and
/// the pickle, which several formats need, are read once, when first asked for. Only one thread may use it.
class Probe {
public:
    explicit Probe(std::shared_ptr<const MappedFile> file);
    /// `bytes` are the contents of `file`, which need not be mapped; they must outlive this object.
    Probe(std::span<const std::byte> bytes, ir::DataFile file);

    std::span<const std::byte> bytes() const { return m_bytes; }
    const std::filesystem::path &path() const { return m_file.path; }
    const ir::DataFile &file() const { return m_file; }

    /// Returns the archive, which lives as long as this object. Errors: those of Zip::open().
    Result<const Zip *> zip() const;
    /// Whether the file begins like a zip archive, and is one.
    bool isZip() const;
    /// Returns the file as a torch.save file, which lives as long as this object. Errors: those of TorchSave::open().
    Result<const TorchSave *> torchSave() const;

private:
    std::span<const std::byte> m_bytes;
    ir::DataFile m_file;
    mutable std::optional<Result<Zip>> m_zip;
    mutable std::optional<Result<TorchSave>> m_torchSave;
};

} // namespace cutaway::formats::archive
