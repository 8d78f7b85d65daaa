// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::print {

/// Returns the dotted path without its last name: "layer1.0" for "layer1.0.weight"; "" if there is no dot.
std::string_view parentPath(std::string_view path);
/// Returns the last name of a dotted path.
std::string_view lastName(std::string_view path);
/// Whether `path` is `ancestor` or below it; everything is below "".
bool isWithinPath(std::string_view path, std::string_view ancestor);
/// Returns the rest of a path below `ancestor`, which must contain it.
std::string_view pathFrom(std::string_view ancestor, std::string_view path);

} // namespace cutaway::print
