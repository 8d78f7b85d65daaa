// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/unpacked_file.h"

#include "core/trace/limits.h"

#include <cerrno>
#include <cstring>
#include <zlib.h>

namespace cutaway::trace {

Result<UnpackedFile> UnpackedFile::open(const std::string &path)
{
    UnpackedFile file;
    errno = 0;
    file.m_file.reset(gzopen(path.c_str(), "rb"));
    if (!file.m_file)
        return unreadable(errno == 0 ? "there is too little memory" : std::strerror(errno));
    gzbuffer(file.m_file.get(), 1u << 20);
    return file;
}

std::string_view UnpackedFile::ahead(std::size_t size)
{
    constexpr std::size_t chunk = 4u << 20;
    while (m_text.size() - m_at < size && !m_isAtEnd) {
        m_text.erase(0, std::exchange(m_at, 0));
        const std::size_t before = m_text.size();
        int read = 0;
        m_text.resize_and_overwrite(before + chunk, [&](char *text, std::size_t) {
            read = gzread(m_file.get(), text + before, chunk);
            return before + static_cast<std::size_t>(std::max(read, 0));
        });
        m_isDamaged |= read < 0;
        m_isAtEnd = read < static_cast<int>(chunk);
        m_read += static_cast<std::uint64_t>(std::max(read, 0));
        m_isAtEnd |= isTooLong();
    }
    if (m_isAtEnd) { // only the end of the file shows whether it was truncated
        int error = Z_OK;
        gzerror(m_file.get(), &error);
        m_isDamaged |= error != Z_OK;
    }
    return std::string_view(m_text).substr(m_at);
}

bool UnpackedFile::isTooLong() const { return m_read > limits::maxText; }

void UnpackedFile::Close::operator()(gzFile_s *file) const { gzclose(file); }

} // namespace cutaway::trace
