// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/material.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::report {

/// The forms in which a report is written.
enum class Form : std::uint8_t { Markdown, Html, Csv };

/// Returns the report of a function in a text format: for a terminal or Markdown, for a browser (with the diagram,
/// opened as far as it stays readable), or the table of all nodes. Errors: only Cancelled.
Result<std::string> report(const Subject &subject, Form form, std::stop_token stop = {});

/// Writes the report in the form that the file's suffix names: md, html, csv or json. JSON has all functions if
/// `onlySubject` is false (see inspectJson()). The file appears complete or not at all. Errors: Usage for another
/// suffix, Backend if it cannot be written, Cancelled.
Result<void> writeReport(const Subject &subject, bool onlySubject, const std::filesystem::path &out,
                         std::stop_token stop = {});
/// Whether writeReport() knows this suffix: ".html".
bool isReportSuffix(std::string_view suffix);

} // namespace cutaway::report
