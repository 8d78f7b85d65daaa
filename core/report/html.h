// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"

#include <string_view>

namespace cutaway::report {

/// Returns a report as one self-contained HTML file that loads nothing: styles, script and pictures are embedded.
/// Tables can be sorted and filtered. The page follows the reader's preference for dark or light and is light when
/// printed. `diagram`: from svgForPage().
std::string html(const Document &document, std::string_view diagram);

} // namespace cutaway::report
