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

/// A new file, written from front to back. The first failure (disk full, no permission) stays: what is written after it
/// goes nowhere, and close() tells it. Move-only; a file that is not closed stays as far as it was written.
class OutputFile {
public:
    /// An existing file of that name is emptied. Errors are told by close().
    explicit OutputFile(const std::filesystem::path &path);
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    ~OutputFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// Bytes written so far.
    std::uint64_t size() const { return m_size; }
    bool failed() const { return m_error != 0; }

    /// Everything is on the disk when this succeeds. Errors (Backend): what the system says.
    Result<void> close();

private:
    void flush();

    std::filesystem::path m_path;
    int m_descriptor = -1;
    int m_error = 0; ///< errno of the first failure
    std::uint64_t m_size = 0;
    std::vector<std::byte> m_buffer;
};

} // namespace cutaway
