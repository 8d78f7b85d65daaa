// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::about {

/// "0.2.0"
std::string_view version();

/// "2026-11-24"
std::string_view releaseDate();

/// A line with the program's version, one with the versions of its libraries (`further` first, such as "Qt 6.8.2"), and
/// one with the plugins that are installed and what they run models with. Starts no plugin.
std::string versionText(std::string_view program, std::string_view further = {});

} // namespace cutaway::about
