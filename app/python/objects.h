// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "core/ir/dim.h"

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::python {

/// Text of a file: as it is, or sanitized where it is no UTF-8, which texts of Python are.
std::string readable(std::string_view text);
std::optional<std::string> readableOrNone(std::string_view text); ///< nothing for ""

/// An int, a formula as str, or None.
nb::object objectOf(const ir::Dim &dim);
/// A tuple of these, or None.
nb::object objectOf(const std::optional<ir::Shape> &shape);

/// The dicts, lists and values that JSON text says.
nb::object parsedJson(const std::string &json);

} // namespace cutaway::python
