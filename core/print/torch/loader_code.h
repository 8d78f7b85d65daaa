// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// Returns the code above the classes: a comment on the source, and the imports that they need.
std::string importsCode(std::string_view classes, const std::string &modelPath);

/// Returns the code below the classes: load(), which makes the model with its weights, and the block that runs when the
/// file is run. `examples` are the arguments of a call; "" for an argument that is not known.
std::string loaderCode(const std::string &mainClass, const std::vector<std::string> &examples);

} // namespace cutaway::print
