// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/formats/zip_writer.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::tests {

/// The members of an archive written one behind the other, each after a line "--- NAME". A seed in this form can be
/// read and changed by a person, and a fuzzer that knows nothing of zip archives and their checksums gets into the
/// members.
inline std::vector<ZipEntry> membersOf(std::string_view text)
{
    static constexpr std::string_view mark = "\n--- ";
    std::vector<ZipEntry> members;
    const std::string all = "\n" + std::string(text);
    for (std::size_t at = all.find(mark); at != all.npos;) {
        const std::size_t next = all.find(mark, at + 1);
        const std::string_view member = std::string_view(all).substr(at + mark.size(), next - at - mark.size());
        const std::size_t line = std::min(member.find('\n'), member.size());
        members.push_back(
            {std::string(member.substr(0, line)), std::string(member.substr(std::min(line + 1, member.size())))});
        at = next;
    }
    return members;
}

} // namespace cutaway::tests
