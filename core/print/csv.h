// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// Returns a cell of a CSV file (RFC 4180): sanitized, quoted if needed, and prefixed with an apostrophe if a
/// spreadsheet would run it as a formula (text beginning with = + - @ that is no number).
std::string csvCell(std::string_view text);

/// Returns a row of cells with the separators and line end of RFC 4180.
std::string csvRow(std::span<const std::string> texts);

} // namespace cutaway::print
