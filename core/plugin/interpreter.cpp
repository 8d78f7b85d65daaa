// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/interpreter.h"

#include <algorithm>
#include <cstdlib>
#include <ranges>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;

constexpr const char *byDefault = "python3";

fs::path pathIn(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

fs::path within(const fs::path &environment) { return environment / "bin" / byDefault; }

/// Returns the absolute path; a name without a folder, which is looked for on the PATH, stays as it is.
fs::path resolved(const fs::path &path) { return path.has_parent_path() ? fs::absolute(path) : path; }

/// Returns the folder that contains the `bin` of a program.
fs::path prefixOf(const fs::path &path) { return path.parent_path().parent_path(); }

fs::path onThePath(const fs::path &program)
{
    const std::string path = pathIn("PATH").string();
    for (const auto part : std::views::split(path, ':')) {
        std::error_code error;
        const fs::path found = fs::path(std::string_view(part)) / program;
        if (found.is_absolute() && fs::exists(found, error))
            return found;
    }
    return {};
}

bool holdsHome(const fs::path &folder)
{
    const fs::path home = pathIn("HOME");
    return std::ranges::mismatch(folder, home).in1 == folder.end();
}

} // namespace

std::string interpreter(const fs::path &configured)
{
    std::error_code error;
    for (const fs::path &named : {pathIn(pythonVariable), configured})
        if (!named.empty())
            return resolved(fs::is_directory(named, error) ? within(named) : named).string();
    for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const fs::path environment = pathIn(name); environment.is_absolute())
            if (const fs::path found = within(environment); fs::exists(found, error))
                return found.string();
    return byDefault;
}

std::vector<fs::path> foldersOf(const fs::path &interpreter)
{
    const fs::path path = interpreter.has_parent_path() ? resolved(interpreter) : onThePath(interpreter);
    if (path.empty())
        return {};
    std::error_code error;
    std::vector<fs::path> folders{prefixOf(path)};
    if (const fs::path original = fs::canonical(path, error);
        !error && !std::ranges::contains(folders, prefixOf(original)))
        folders.push_back(prefixOf(original));
    std::erase_if(folders, holdsHome);
    return folders;
}

} // namespace cutaway::plugin
