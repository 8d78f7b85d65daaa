// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/formats/archive/zip.h"

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::archive {

/// Writes a zip archive from front to back as PyTorch does: members stored, their bytes at multiples of 64, sizes and
/// checksums behind them, 64-bit where a member or the archive needs it. Errors are for the file's close().
class ZipWriter {
public:
    explicit ZipWriter(OutputFile &file) : m_file(file) { }

    /// A stored member of `size` bytes; write() gives them, end() ends it.
    void begin(std::string_view name, std::uint64_t size);
    void write(std::span<const std::byte> bytes);
    void end();
    /// The same in one.
    void add(std::string_view name, std::string_view content);
    /// A member of another archive with its bytes there, compressed or not.
    void copy(const Member &member, std::span<const std::byte> stored);
    /// The directory. Call once, at the end.
    void finish();

private:
    void beginMember(const Member &member);
    void writeDirectory(const Member &member);

    OutputFile &m_file;
    std::deque<std::string> m_names; ///< what the members' names are views of
    std::vector<Member> m_members;
};

} // namespace cutaway::formats::archive
