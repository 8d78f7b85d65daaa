// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace cutaway::cli {

/// Declares --assert as `inspect` and `profile` have it. `figures` is the help text on which figures can be asserted.
CLI::Option *declareAssertions(CLI::App &command, std::vector<std::string> &assertions, const std::string &figures);

/// Returns the answer of a command whose figures were checked: "no" if `broken` has lines, each about an assertion that
/// failed. The lines are appended to `text`, or become remarks if that is JSON.
Answer held(std::string text, std::vector<std::string> broken, bool isJson);

} // namespace cutaway::cli
