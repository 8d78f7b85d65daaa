// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// The place where a plugin runs: a launcher command such as `ssh gpu1` or `srun --gres=gpu:1` is put before the
/// plugin's own command.
struct Target {
    std::string name = "local";
    std::vector<std::string> launcher = {};           ///< the launcher's words; empty: this machine, in the sandbox
    std::filesystem::path folder = {};                ///< the plugins' folder on the target; empty: same paths as here
    std::vector<std::filesystem::path> readable = {}; ///< further folders that the local sandbox lets plugins read
    std::filesystem::path python = {}; ///< the user's Python on the target, see interpreter(); "" for the default
    bool wantsSandbox = true;
    /// The limit for the answer to a request; nothing: that of the plugin holds.
    std::optional<std::chrono::milliseconds> answerLimit = {};

    bool isHere() const { return launcher.empty(); }
};

/// Returns $XDG_CONFIG_HOME/cutaway/targets.json; empty if there is no such folder.
std::filesystem::path targetsFile();

/// Returns the targets of the file. The local target is always the first; the file may configure it. Without a file it
/// is the only one. Errors: what was found and what was expected in the file.
Result<std::vector<Target>> readTargets(const std::filesystem::path &file = targetsFile());

/// Returns the target of this name. Errors (Usage): there is no such target.
Result<Target> findTarget(std::string_view name, const std::vector<Target> &targets);

/// Returns why plugins run on this machine without a sandbox; nullopt if they have one or run on another machine.
std::optional<std::string> whyNoSandbox(const Target &target);

/// Returns the plugin's command on the target, without the launcher.
std::vector<std::string> ownCommand(const Manifest &plugin, const Target &target);

/// Returns the full command that starts a plugin on a target. `readable`: folders that the plugin may read.
std::vector<std::string> launchCommand(const Manifest &plugin, const Target &target,
                                       const std::vector<std::filesystem::path> &readable = {});

} // namespace cutaway::plugin
