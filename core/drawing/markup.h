// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::drawing {

/// Text of a file as text or attribute value of SVG and HTML: sanitized, and nothing in it is markup.
std::string markup(std::string_view text);

/// A coordinate, at most one decimal.
std::string coordinate(double x);

} // namespace cutaway::drawing
