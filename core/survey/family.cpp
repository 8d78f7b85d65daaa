// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/family.h"

#include "core/query/pattern.h"

#include <algorithm>

namespace cutaway::survey {

namespace fs = std::filesystem;

std::filesystem::path commonFolder(const std::vector<Entry> &entries)
{
    if (entries.empty())
        return {};
    fs::path common = fs::path(entries.front().path).parent_path();
    for (const Entry &entry : entries) {
        const fs::path folder = fs::path(entry.path).parent_path();
        fs::path shared;
        auto a = common.begin();
        for (auto b = folder.begin(); a != common.end() && b != folder.end() && *a == *b; ++a, ++b)
            shared /= *a;
        common = shared;
    }
    return common;
}

std::string familyOf(const Entry &entry)
{
    const auto root = std::ranges::find(entry.modules, "", &ModuleUse::path);
    if (root != entry.modules.end() && !root->className.empty())
        return root->className.substr(root->className.rfind('.') + 1);
    const std::string name = fs::path(entry.path).filename().string();
    return query::lowerCase(name.substr(0, name.find_first_of("0123456789 -_.", 1)));
}

} // namespace cutaway::survey
