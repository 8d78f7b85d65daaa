// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway {

/// Whether the bytes are well-formed UTF-8 (RFC 3629).
bool isUtf8(std::string_view bytes);

/// Text from a file, made safe to display and to write as UTF-8: invalid bytes become U+FFFD, control characters and
/// bidirectional marks become visible escapes (\x07, \u202e). `keepLines` keeps tab and newline.
std::string sanitized(std::string_view bytes, bool keepLines = false);

/// `s` in double quotes with C escapes; unescaping gives the same bytes.
std::string quote(std::string_view s);

/// The texts joined with the separator `between`.
std::string joined(std::span<const std::string> texts, std::string_view between);

/// 1234567 → "1,234,567"
std::string grouped(long long n);

/// A count with an SI suffix and three significant digits: 8178368512 → "8.18 G".
std::string siCount(double n);

/// A size in binary units: 102228128 → "97.5 MiB".
std::string byteCount(double bytes);

/// The double that has the float's shortest decimal form: 1e-05, not 9.999999747378752e-06. As a float it is the same.
double shortestDecimal(float x);

} // namespace cutaway
