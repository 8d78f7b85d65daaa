// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/fx/read/syntax.h"

namespace cutaway::formats::fx {

/// Reads code, which must outlive the program: functions of straight-line statements. Calls between the functions,
/// such as `wrap("f")`, are skipped. Errors: what was found and what was wanted, with line and column; nesting deeper
/// or code longer than the limits.
Result<Program> parse(std::string_view source);

} // namespace cutaway::formats::fx
