// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// One cell of a CSV file (RFC 4180): sanitized, quoted where needed, and prefixed with an apostrophe where a
/// spreadsheet would run it as a formula (text beginning with = + - @ that is no number).
std::string csvCell(std::string_view text);

/// One row of cells with the separators and line end of RFC 4180.
std::string csvRow(std::span<const std::string> texts);

} // namespace cutaway::print
