// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::about {

/// Returns the version: "0.2.0".
std::string_view version();

/// Returns the date of the release: "2026-11-24".
std::string_view releaseDate();

/// Returns three lines: the program's version; the versions of its libraries, `further` first, such as "Qt 6.8.2"; and
/// the installed plugins, each with the description of its backend. Starts no plugin.
std::string versionText(std::string_view program, std::string_view further = {});

} // namespace cutaway::about
