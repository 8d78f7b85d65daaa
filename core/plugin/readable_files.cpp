// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/readable_files.h"

#include <algorithm>

namespace cutaway::plugin {

namespace fs = std::filesystem;

fs::path placeOf(const fs::path &file)
{
    std::error_code error;
    const fs::path whole = fs::absolute(file, error);
    const fs::path folder = fs::weakly_canonical(whole.parent_path(), error);
    return error ? whole : folder / whole.filename();
}

std::vector<fs::path> foldersTo(const fs::path &file)
{
    constexpr int maxLinks = 40; // the limit of links in a path on Linux
    std::vector<fs::path> folders;
    fs::path at = placeOf(file);
    std::error_code error;
    for (int links = 0; links <= maxLinks && !error; ++links) {
        if (!std::ranges::contains(folders, at.parent_path()))
            folders.push_back(at.parent_path());
        if (!fs::is_symlink(at, error))
            break;
        at = placeOf(at.parent_path() / fs::read_symlink(at, error));
    }
    return folders;
}

} // namespace cutaway::plugin
