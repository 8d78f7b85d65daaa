// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/target.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// A plugin that cannot be used here, and why; another one of its name may be.
struct Missing {
    std::filesystem::path path;
    std::string reason;
    std::string name = {}; ///< of the plugin, if its manifest can be read
    bool operator==(const Missing &) const = default;
};

struct Found {
    std::vector<Manifest> plugins;   ///< whose program is here; no two of one name: the first found counts
    std::vector<Manifest> elsewhere; ///< of other names, whose program is not: another target may have it
    std::vector<Missing> missing;    ///< with those of `elsewhere`
};

/// Where plugins are looked for, first those that come first: $CUTAWAY_PLUGIN_PATH (several between colons),
/// $XDG_DATA_HOME/cutaway/plugins, and lib/cutaway/plugins where the program is installed or was built. Those that
/// nobody has named need not exist.
std::vector<std::filesystem::path> pluginFolders();

/// Reads the plugin.json of each folder and of the folders in it, in the order of their names, and looks whether the
/// program is there. Nothing is started.
Found findPlugins(std::span<const std::filesystem::path> folders);
inline Found findPlugins() { return findPlugins(pluginFolders()); }

/// What can be started on a target. Of others than this machine nobody knows before it is tried.
std::vector<Manifest> pluginsOn(const Target &target, const Found &found);

/// Errors (Usage): there is no such plugin for the target, and why if its folder was found.
Result<Manifest> findPlugin(std::string_view name, const Found &found, const Target &target = {});

} // namespace cutaway::plugin
