// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct gzFile_s; // NOLINT(readability-identifier-naming): it is zlib's

namespace cutaway::trace {

/// The text of a file, packed by gzip or not; only a part of it is in memory.
class UnpackedFile {
public:
    /// Opens a file. Errors (Unreadable): there is no such file, or it cannot be opened.
    static Result<UnpackedFile> open(const std::string &path);

    /// Returns at least `size` characters from the position on; fewer only at the end of the file.
    std::string_view ahead(std::size_t size);
    void skip(std::size_t size) { m_at += size; }
    std::uint64_t position() const { return m_read - (m_text.size() - m_at); }
    /// Whether the packed data ends early or is damaged; known when its end was read.
    bool isDamaged() const { return m_isDamaged; }
    bool isTooLong() const;

private:
    struct Close {
        void operator()(gzFile_s *file) const;
    };

    std::unique_ptr<gzFile_s, Close> m_file;
    std::string m_text;
    std::size_t m_at = 0;
    std::uint64_t m_read = 0;
    bool m_isAtEnd = false, m_isDamaged = false;
};

} // namespace cutaway::trace
