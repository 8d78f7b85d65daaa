// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace cutaway::cli {

/// Declares --assert, as `inspect` and `profile` have it. `figures`: the help text on what can be asserted.
CLI::Option *declareAssertions(CLI::App &command, std::vector<std::string> &assertions, const std::string &figures);

/// The answer of a command that was held to assertions, "no" if `broken` has lines. These follow a text, but not JSON:
/// there they are remarks.
Answer held(std::string text, std::vector<std::string> broken, bool isJson);

} // namespace cutaway::cli
