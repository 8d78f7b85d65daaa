// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"

#include <string_view>

namespace cutaway::report {

/// A report as one HTML file that needs nothing else and asks nobody: styles, script and pictures are in it. Tables can
/// be sorted and filtered; it is dark where the reader prefers that, and light on paper. `diagram`: of svgForPage().
std::string html(const Document &document, std::string_view diagram);

} // namespace cutaway::report
