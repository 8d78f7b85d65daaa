// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"

namespace cutaway::report {

/// A report as GitHub's Markdown, its tables aligned so that they are read in a terminal too. Nothing in a model's
/// names is markup.
std::string markdown(const Document &document);

} // namespace cutaway::report
