// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/document.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace cutaway::cli {

/// Where a report goes that has only the forms HTML and Markdown.
struct ReportOutput {
    std::string file; ///< the file's name, which ends in .html or .md; "" for none
    bool markdown = false;

    bool isWanted() const { return markdown || !file.empty(); }
};

/// The options that declareReportOutput() declares.
struct ReportOptions {
    CLI::Option *output, *markdown;
};
/// Declares -o and --markdown, which exclude each other. `what` is the help text of -o: "Write a report: .html or .md".
ReportOptions declareReportOutput(CLI::App &command, ReportOutput &output, const std::string &what);

/// Writes a report to a file in the form that its suffix names, or returns it as Markdown.
Result<std::string> written(const report::Document &document, const ReportOutput &output);

} // namespace cutaway::cli
