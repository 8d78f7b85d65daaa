// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/difference.h"

#include <string>
#include <string_view>

namespace cutaway::report {

/// The nodes that differ, a line each with its sign, among some that do not, as `diff -u` prints lines of a text.
/// Changes of a pair are comments behind it.
std::string unifiedDiff(const Comparison &comparison);

/// "# " and a text, in as many lines as it needs.
std::string comment(std::string_view text);

} // namespace cutaway::report
