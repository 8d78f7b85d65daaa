// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace cutaway {

/// A file that is written sequentially. The first failure (disk full, no permission) is remembered: later writes are
/// ignored, and close() returns it. Move-only; if it is destroyed without close(), the part written so far remains.
class OutputFile {
public:
    /// Opens a file for writing; an existing one is truncated. close() returns the errors.
    explicit OutputFile(const std::filesystem::path &path);
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    ~OutputFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// Returns the number of bytes written so far.
    std::uint64_t size() const { return m_size; }
    bool failed() const { return m_error != 0; }

    /// Flushes the file to the disk and closes it. Errors (Backend): the system's message about the first failure.
    Result<void> close();

private:
    void flush();

    std::filesystem::path m_path;
    int m_descriptor = -1;
    int m_error = 0; ///< the errno of the first failure
    std::uint64_t m_size = 0;
    std::vector<std::byte> m_buffer;
};

} // namespace cutaway
