// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// One cell of a CSV file (RFC 4180): sanitized, quoted where that is needed, and with an apostrophe before what a
/// spreadsheet would run as a formula (a text beginning with = + - @).
std::string csvCell(std::string_view text);

/// Cells, separated and ended as the format wants it.
std::string csvRow(std::span<const std::string> texts);

} // namespace cutaway::print
