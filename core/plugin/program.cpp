// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/program.h"

#include "core/base/formatted.h"
#include "core/plugin/target.h"

#include <cstdlib>
#include <fstream>
#include <ranges>
#include <unistd.h>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;

bool mayBeExecuted(const fs::path &path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// Whether execvp(), run in the plugin's folder, would find the program.
bool isOnThePath(const std::string &program, const fs::path &folder)
{
    const char *path = std::getenv("PATH");
    for (const auto part : std::views::split(std::string_view(path ? path : "/bin:/usr/bin"), ':'))
        if (mayBeExecuted(folder / std::string_view(part) / program))
            return true;
    return false;
}

/// Whether the linker is still writing the file, which gets its executable bit last. Text files and files with a suffix
/// are run by another program and need no such bit.
bool isUnfinishedProgram(const fs::path &path)
{
    std::error_code error;
    if (path.has_extension() || !fs::is_regular_file(path, error) || mayBeExecuted(path))
        return false;
    const int first = std::ifstream(path, std::ios::binary).get();
    return first == std::ifstream::traits_type::eof() || first == '\0' || first == '\x7f';
}

std::optional<std::string> faultOfFile(const fs::path &path, bool isExecuted)
{
    std::error_code error;
    if (!fs::exists(path, error))
        return formatted("its program {} is missing; build or install it", path.string());
    if (isExecuted ? !mayBeExecuted(path) : isUnfinishedProgram(path))
        return formatted("its program {} cannot be executed; build or install it", path.string());
    return std::nullopt;
}

} // namespace

std::optional<std::string> programFault(const Manifest &plugin)
{
    const std::vector<std::string> command = ownCommand(plugin, {});
    const std::string &program = command.front();
    if (program.contains('/')) {
        if (auto fault = faultOfFile(plugin.folder / program, true))
            return fault;
    } else if (!isOnThePath(program, plugin.folder)) {
        return formatted("its program {} is not on the PATH; install it", program);
    }
    for (std::size_t i = 1; i < command.size(); ++i)
        if (plugin.command[i].starts_with(std::string(folderWord) + "/"))
            if (auto fault = faultOfFile(command[i], false))
                return fault;
    return std::nullopt;
}

} // namespace cutaway::plugin
