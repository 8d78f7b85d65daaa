// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// Why bubblewrap cannot be used here; nothing if it can. Tried once.
const std::optional<std::string> &sandboxFault();

/// What a program in the sandbox gets beside the system's programs and libraries, an empty home and a /tmp of its own.
struct Sandbox {
    std::vector<std::filesystem::path> readable; ///< with all below; a missing one is left out
    std::filesystem::path folder;                ///< where it is started
    bool hasDevices = false;                     ///< graphics processors
};

/// The command with bubblewrap in front of it: no network, no home, nothing to write to, nobody else's processes, and
/// of the environment's variables a few.
std::vector<std::string> sandboxed(std::vector<std::string> command, const Sandbox &sandbox);

} // namespace cutaway::plugin
