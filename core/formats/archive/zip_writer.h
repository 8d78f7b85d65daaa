// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/formats/archive/zip.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace cutaway::formats::archive {

/// Writes a zip archive from front to back as PyTorch does: members are stored, their bytes start at multiples of 64,
/// sizes and checksums follow the bytes, in 64 bits where a member or the archive needs it. The file's close() reports
/// errors.
class ZipWriter {
public:
    explicit ZipWriter(OutputFile &file) : m_file(file) { }

    /// Begins a stored member of `size` bytes; write() adds them, end() ends the member.
    void begin(std::string_view name, std::uint64_t size);
    void write(std::span<const std::byte> bytes);
    void end();
    /// Writes a stored member with this content.
    void add(std::string_view name, std::string_view content);
    /// Copies a member of another archive; `stored` are its bytes there, which may be compressed.
    void copy(const Member &member, std::span<const std::byte> stored);
    /// Writes the directory. Call once, at the end.
    void finish();

private:
    void beginMember(const Member &member);
    void writeDirectory(const Member &member);

    OutputFile &m_file;
    std::deque<std::string> m_names; ///< the texts of the members' names
    std::vector<Member> m_members;
};

} // namespace cutaway::formats::archive
