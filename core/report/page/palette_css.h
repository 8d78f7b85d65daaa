// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace cutaway::report {

/// Returns the window's colours as variables of a style sheet (--canvas, --text, …; --c0 for the first category). On a
/// screen they are dark if the reader prefers that, else light.
std::string paletteCss();

} // namespace cutaway::report
