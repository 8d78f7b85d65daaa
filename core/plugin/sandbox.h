// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// Returns why bubblewrap cannot be used here; nullopt if it can. It is tried once.
const std::optional<std::string> &sandboxFault();

/// The contents of a sandbox besides the system's programs and libraries, an empty home and a /tmp of its own.
struct Sandbox {
    std::vector<std::filesystem::path> readable; ///< folders that the process may read; missing ones are skipped
    std::filesystem::path folder;                ///< the working folder
    bool hasDevices = false;                     ///< whether the process may use graphics processors
};

/// Puts bubblewrap before the command: no network, no home, nothing writable but its /tmp, no other processes visible,
/// and only a few environment variables.
std::vector<std::string> sandboxed(std::vector<std::string> command, const Sandbox &sandbox);

} // namespace cutaway::plugin
