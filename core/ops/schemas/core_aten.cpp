// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/core_aten.h"

#include <algorithm>
#include <string>
#include <vector>

// The file becomes read-only data, as torch's schemas do.
asm(".pushsection .rodata\n"
    ".global cutawayCoreAten, cutawayCoreAtenEnd\n"
    "cutawayCoreAten: .incbin \"" CUTAWAY_CORE_ATEN "\"\n"
    "cutawayCoreAtenEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayCoreAten[];
extern "C" const char cutawayCoreAtenEnd[];

namespace cutaway::ops {

namespace {

constexpr std::string_view versionMark = "torch ";

/// The first names the version; those behind it are sorted.
const std::vector<std::string_view> &coreLines()
{
    static const std::vector<std::string_view> lines = [] {
        std::vector<std::string_view> all;
        std::string_view rest(cutawayCoreAten, cutawayCoreAtenEnd);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            all.push_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return all;
    }();
    return lines;
}

} // namespace

bool isCoreAten(std::string_view name, std::string_view overload)
{
    const bool isPlain = overload.empty() || overload == "default"; // as torch.export writes it
    const std::string full = isPlain ? std::string(name) : std::string(name).append(".").append(overload);
    return std::binary_search(coreLines().begin() + 1, coreLines().end(), full);
}

std::string_view coreAtenVersion() { return coreLines().front().substr(versionMark.size()); }

} // namespace cutaway::ops
