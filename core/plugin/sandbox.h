// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// Why bubblewrap cannot be used here; nullopt if it can. Tried once, then cached.
const std::optional<std::string> &sandboxFault();

/// The contents of a sandbox besides the system's programs and libraries, an empty home and its own /tmp.
struct Sandbox {
    std::vector<std::filesystem::path> readable; ///< readable folders; a missing one is skipped
    std::filesystem::path folder;                ///< the working folder
    bool hasDevices = false;                     ///< graphics processors
};

/// Prefixes the command by bubblewrap: no network, no home, nothing writable but its /tmp, no other processes visible,
/// and only a few environment variables.
std::vector<std::string> sandboxed(std::vector<std::string> command, const Sandbox &sandbox);

} // namespace cutaway::plugin
