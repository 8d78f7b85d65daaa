// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// Where a plugin runs: a launcher command such as `ssh gpu1` or `srun --gres=gpu:1`, put before the plugin's own.
struct Target {
    std::string name = "local";
    std::vector<std::string> launcher = {};           ///< empty: on this machine, in the sandbox
    std::filesystem::path folder = {};                ///< the plugins' folder on the target; empty: same paths as here
    std::vector<std::filesystem::path> readable = {}; ///< further folders that the local sandbox lets plugins read
    std::filesystem::path python = {};                ///< the user's Python there, see interpreter(); "": the usual one
    bool wantsSandbox = true;
    std::optional<std::chrono::milliseconds> answerLimit = {}; ///< for the answer to a request

    bool isHere() const { return launcher.empty(); }
};

/// $XDG_CONFIG_HOME/cutaway/targets.json; empty if there is no such folder.
std::filesystem::path targetsFile();

/// The targets of the file. The local target is always the first; the file may configure it. Without a file it is the
/// only one. Errors: what was found and what was expected in the file.
Result<std::vector<Target>> readTargets(const std::filesystem::path &file = targetsFile());

/// Errors (Usage): there is no such target.
Result<Target> findTarget(std::string_view name, const std::vector<Target> &targets);

/// Why plugins run on this machine without a sandbox; nullopt if they have one or run on another machine.
std::optional<std::string> whyNoSandbox(const Target &target);

/// The plugin's command as it runs on the target, without the launcher.
std::vector<std::string> ownCommand(const Manifest &plugin, const Target &target);

/// The full command that starts a plugin on a target. `readable`: folders that the plugin may read.
std::vector<std::string> launchCommand(const Manifest &plugin, const Target &target,
                                       const std::vector<std::filesystem::path> &readable = {});

} // namespace cutaway::plugin
