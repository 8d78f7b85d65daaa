// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"

#include <optional>
#include <string>

namespace cutaway::plugin {

/// Why a plugin cannot be started on this machine, and what to do about it: its command begins with a program that is
/// not there, or names a file of its own folder ("${plugin}/run.py") that is not. Nothing: all of it is there. Nothing
/// is started.
std::optional<std::string> programFault(const Manifest &plugin);

} // namespace cutaway::plugin
