// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace cutaway {

/// A regular file mapped read-only. Pages come in only where bytes() is read.
/// Move-only; the bytes live as long as the object.
class MappedFile {
public:
    /// Errors: missing, no permission, a folder, a device or FIFO.
    static Result<MappedFile> open(const std::filesystem::path &path);

    MappedFile(MappedFile &&other) noexcept;
    MappedFile &operator=(MappedFile &&other) noexcept;
    ~MappedFile();

    const std::filesystem::path &path() const { return m_path; }
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    MappedFile(std::filesystem::path path, std::span<const std::byte> bytes);

    std::filesystem::path m_path;
    std::span<const std::byte> m_bytes;
};

} // namespace cutaway
