// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/material.h"

#include <stop_token>

namespace cutaway::report {

enum class Form : std::uint8_t { Markdown, Html, Csv };

/// The report of a function in a text format: for a terminal or Markdown, for a browser (with the diagram, opened as
/// far as it stays readable), or the table of all nodes. Errors: only Cancelled.
Result<std::string> report(const Subject &subject, Form form, std::stop_token stop = {});

} // namespace cutaway::report
