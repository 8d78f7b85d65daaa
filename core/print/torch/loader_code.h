// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// What stands above the classes: where they come from, and the imports that they need.
std::string importsCode(std::string_view classes, const std::string &modelPath);

/// What stands below them: load(), which makes the model of its weights, and what is done where the code is run.
/// `examples`: arguments of a call; "" for one that is not known.
std::string loaderCode(const std::string &mainClass, const std::vector<std::string> &examples);

} // namespace cutaway::print
