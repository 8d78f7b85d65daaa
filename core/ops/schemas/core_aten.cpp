// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/core_aten.h"

#include <string>
#include <unordered_set>

// The file becomes read-only data, like the file of torch's schemas.
asm(".pushsection .rodata\n"
    ".global cutawayCoreAten, cutawayCoreAtenEnd\n"
    "cutawayCoreAten: .incbin \"" CUTAWAY_CORE_ATEN "\"\n"
    "cutawayCoreAtenEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayCoreAten[];
extern "C" const char cutawayCoreAtenEnd[];

namespace cutaway::ops {

namespace {

struct CoreList {
    std::string_view version;
    std::unordered_set<std::string_view> overloads;
};

CoreList readCoreList()
{
    CoreList list;
    std::string_view rest(cutawayCoreAten, cutawayCoreAtenEnd);
    const auto takeLine = [&] {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() + 1);
        return line;
    };
    list.version = takeLine().substr(std::string_view("torch ").size());
    while (!rest.empty())
        list.overloads.insert(takeLine());
    return list;
}

const CoreList &coreList()
{
    static const CoreList list = readCoreList();
    return list;
}

} // namespace

bool isCoreAten(std::string_view dialect, std::string_view name, std::string_view overload)
{
    std::string text(dialect);
    text.append("::").append(name);
    if (!overload.empty() && overload != "default")
        text.append(".").append(overload);
    return coreList().overloads.contains(text);
}

std::string_view coreAtenVersion() { return coreList().version; }

} // namespace cutaway::ops
