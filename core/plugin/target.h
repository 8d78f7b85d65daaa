// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// Where a plugin runs: a command that is put in front of its own, as `ssh gpu1` or `srun --gres=gpu:1`.
struct Target {
    std::string name = "local";
    std::vector<std::string> launcher = {};           ///< empty: here, in the sandbox
    std::filesystem::path folder = {};                ///< where plugins lie there; empty: where they lie here
    std::vector<std::filesystem::path> readable = {}; ///< what plugins may read here, too
    bool wantsSandbox = true;

    bool isHere() const { return launcher.empty(); }
};

/// $XDG_CONFIG_HOME/cutaway/targets.json; empty where there is no such folder.
std::filesystem::path targetsFile();

/// The targets of the file, and the local one first, which the file may say more of. No file: that one alone. Errors:
/// what was found and wanted in it.
Result<std::vector<Target>> readTargets(const std::filesystem::path &file = targetsFile());

/// Errors (Usage): there is no such target.
Result<Target> findTarget(std::string_view name, const std::vector<Target> &targets);

/// Why plugins run here without a sandbox; nothing where they have one, or run elsewhere.
std::optional<std::string> whyNoSandbox(const Target &target);

/// The words of a plugin's command as they are where it runs, without what launches it.
std::vector<std::string> ownCommand(const Manifest &plugin, const Target &target);

/// How a plugin is started on a target. `readable`: folders of files that it works on.
std::vector<std::string> launchCommand(const Manifest &plugin, const Target &target,
                                       const std::vector<std::filesystem::path> &readable = {});

} // namespace cutaway::plugin
