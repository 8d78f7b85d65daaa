// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::drawing {

/// Sanitizes text and escapes it for use as text or attribute value in SVG and HTML.
std::string markup(std::string_view text);

/// Prints a coordinate with at most one decimal.
std::string coordinate(double x);

} // namespace cutaway::drawing
