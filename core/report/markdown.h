// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"

namespace cutaway::report {

/// Returns a report as GitHub Markdown, with tables aligned for terminals, too. Names of the model are escaped.
std::string markdown(const Document &document);

/// Returns a table in Markdown, and a name as a code span.
std::string markdownTable(const Table &table);
std::string markdownName(std::string_view name);

} // namespace cutaway::report
