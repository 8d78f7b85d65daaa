// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace cutaway::plugin {

/// Returns the absolute path of a file for a plugin, which may run in another working folder. Links among the folders
/// are resolved. A file that is a link stays one: what the model names lies beside the link, not beside its target.
std::filesystem::path placeOf(const std::filesystem::path &file);

/// Returns the folders that a plugin must be able to read to open a file: its own, and those that links lead through.
std::vector<std::filesystem::path> foldersTo(const std::filesystem::path &file);

} // namespace cutaway::plugin
