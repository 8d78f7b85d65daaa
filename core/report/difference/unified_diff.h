// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/difference.h"

#include <string>
#include <string_view>

namespace cutaway::report {

/// Returns the nodes that differ, a line each with its sign, with some unchanged ones around them, as `diff -u` prints
/// lines of a text. After the two lines of a changed node come its changes, as comments.
std::string unifiedDiff(const Comparison &comparison);

/// Returns a text with "# " before each line.
std::string comment(std::string_view text);

} // namespace cutaway::report
