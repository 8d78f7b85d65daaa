// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/target.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// A plugin that cannot be used on this machine, and why; a usable one of the same name may exist.
struct Missing {
    std::filesystem::path path;
    std::string reason;
    std::string name = {}; ///< name of the plugin; empty if the manifest cannot be read
    bool operator==(const Missing &) const = default;
};

struct Found {
    std::vector<Manifest> plugins;   ///< plugins that can be used here, the first of each name
    std::vector<Manifest> elsewhere; ///< plugins whose program is missing here; another target may have it
    std::vector<Missing> missing;    ///< the programs that are missing, those of `elsewhere` included
};

/// Returns the folders searched for plugins, in descending priority: $CUTAWAY_PLUGIN_PATH (colon-separated),
/// $XDG_DATA_HOME/cutaway/plugins, and lib/cutaway/plugins of the installation or build. The last two may not exist.
std::vector<std::filesystem::path> pluginFolders();

/// Reads the plugin.json of each folder and of its subfolders, in the order of their names, and checks whether the
/// program exists. Starts no program.
Found findPlugins(std::span<const std::filesystem::path> folders);
inline Found findPlugins() { return findPlugins(pluginFolders()); }

/// Returns the plugins that can be started on a target. For a target other than this machine all are listed: only a
/// start shows whether it works.
std::vector<Manifest> pluginsOn(const Target &target, const Found &found);

/// Returns the plugin of this name. Errors (Usage): the target has no such plugin; if its folder was found, why.
Result<Manifest> findPlugin(std::string_view name, const Found &found, const Target &target = {});

} // namespace cutaway::plugin
