// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "core/ir/dim.h"

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::python {

/// Returns text of a file, sanitized if it is not UTF-8, since a str of Python has to be.
std::string readable(std::string_view text);
std::optional<std::string> readableOrNone(std::string_view text); ///< nothing for an empty text

/// Returns an int, a formula as str, or None for an unknown size.
nb::object objectOf(const ir::Dim &dim);
/// Returns a tuple of sizes, or None.
nb::object objectOf(const std::optional<ir::Shape> &shape);

/// Parses JSON text into dicts, lists, numbers, str, bool and None.
nb::object parsedJson(const std::string &json);

} // namespace cutaway::python
