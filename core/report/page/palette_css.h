// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace cutaway::report {

/// The window's colours as variables of a style sheet (--canvas, --text, …; --c0 for the first category): light, and
/// dark on a screen where the reader prefers it.
std::string paletteCss();

} // namespace cutaway::report
