// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace cutaway {

/// A regular file mapped read-only. Pages come in only where bytes() is read.
/// Another program may change the file meanwhile: reading stays safe (lost_pages.h), and checkUnchanged() tells.
/// Move-only; the bytes live as long as the object.
class MappedFile {
public:
    /// Errors: missing, no permission, a folder, a pipe, a socket, a device. Waits for none of them.
    static Result<MappedFile> open(const std::filesystem::path &path);

    MappedFile(MappedFile &&) noexcept;
    MappedFile &operator=(MappedFile &&) noexcept;
    ~MappedFile();

    const std::filesystem::path &path() const { return m_path; }
    std::span<const std::byte> bytes() const;

    /// To be asked after reading, before what was read is believed. Errors: the file was written to or cut short since
    /// it was opened, or its disk failed. A new file under the same name is no change: the bytes are those of the old.
    Result<void> checkUnchanged() const;

private:
    class Mapping;
    MappedFile(std::filesystem::path path, std::unique_ptr<const Mapping> mapping);

    std::filesystem::path m_path;
    std::unique_ptr<const Mapping> m_mapping; ///< nullptr: an empty file
};

} // namespace cutaway
