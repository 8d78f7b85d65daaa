// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <optional>
#include <string>

namespace cutaway::plugin {

/// Returns why a plugin cannot be started on this machine, and the remedy: the program that its command begins with is
/// missing, or a file of its own folder ("${plugin}/run.py") is. nullopt: all files exist. Starts nothing.
std::optional<std::string> programFault(const Manifest &plugin);

} // namespace cutaway::plugin
