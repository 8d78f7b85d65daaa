// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace cutaway {

/// A regular file that is mapped read-only; pages are loaded when bytes() is read. If another program changes the
/// file meanwhile, reading stays safe (lost_pages.h) and checkUnchanged() reports it. Move-only; the bytes live as
/// long as the object.
class MappedFile {
public:
    /// Maps a file without ever blocking. Errors: missing, no permission, a folder, a pipe, a socket, a device.
    static Result<MappedFile> open(const std::filesystem::path &path);

    MappedFile(MappedFile &&) noexcept;
    MappedFile &operator=(MappedFile &&) noexcept;
    ~MappedFile();

    const std::filesystem::path &path() const { return m_path; }
    std::span<const std::byte> bytes() const;
    /// Frees the memory of the pages that were read so far; they are loaded again when they are read again.
    void releasePages() const;

    /// Must be called after reading and before the result is used. Errors: the file was written to or truncated since
    /// it was opened, or its disk failed. Replacing the file by a new one is not an error: the mapping still shows
    /// the old one.
    Result<void> checkUnchanged() const;

private:
    class Mapping;
    MappedFile(std::filesystem::path path, std::unique_ptr<const Mapping> mapping);

    std::filesystem::path m_path;
    std::unique_ptr<const Mapping> m_mapping; ///< nullptr: the file is empty
};

} // namespace cutaway
