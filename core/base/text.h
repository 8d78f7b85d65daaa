// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway {

/// Whether the bytes are well-formed UTF-8 (RFC 3629).
bool isUtf8(std::string_view bytes);

/// Returns text from a file that is safe to display and to write as UTF-8: invalid bytes become U+FFFD, control
/// characters and bidirectional marks become visible escapes (\x07, \u202e). `keepLines` keeps tabs and newlines.
std::string sanitized(std::string_view bytes, bool keepLines = false);

/// Returns `s` in double quotes with C escapes; unescaping restores the same bytes.
std::string quote(std::string_view s);

/// Joins texts with the separator `between`.
std::string joined(std::span<const std::string> texts, std::string_view between);

/// Returns an integer with separators: "1,234,567" for 1234567.
std::string grouped(long long n);

/// Returns a count with an SI prefix and three significant digits: "8.18 G" for 8178368512.
std::string siCount(double n);

/// Returns a size in binary units: "97.5 MiB" for 102228128.
std::string byteCount(double bytes);

/// Returns the double that the shortest decimal form of `x` denotes: 1e-05 for the float 9.999999747378752e-06. Rounded
/// to a float, it is `x` again.
double shortestDecimal(float x);

} // namespace cutaway
