// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// A plugin that is not there, and why.
struct Missing {
    std::filesystem::path path;
    std::string reason;
    bool operator==(const Missing &) const = default;
};

struct Found {
    std::vector<Manifest> plugins; ///< no two of one name: the first found counts
    std::vector<Missing> missing;
};

/// Where plugins are looked for, first those that come first: $CUTAWAY_PLUGIN_PATH (several between colons),
/// $XDG_DATA_HOME/cutaway/plugins, and lib/cutaway/plugins where the program is installed or was built. Those that
/// nobody has named need not exist.
std::vector<std::filesystem::path> pluginFolders();

/// Reads the plugin.json of each folder and of the folders in it, in the order of their names. Nothing is started.
Found findPlugins(std::span<const std::filesystem::path> folders);
inline Found findPlugins() { return findPlugins(pluginFolders()); }

/// Errors (Usage): there is no such plugin, and why if its folder was found.
Result<Manifest> findPlugin(std::string_view name, const Found &found);

} // namespace cutaway::plugin
