// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/trace/comparison.h"

namespace cutaway::report {

/// Two traces of one model and how they differ. All of it must outlive the report.
struct TraceComparison {
    std::string modelPath, before, after; ///< names of the files
    const ir::Graph &graph;
    const trace::Comparison &comparison;
};

/// Returns the comparison as JSON, schema cutaway.trace-comparison/1; times are in microseconds.
std::string traceComparisonJson(const TraceComparison &compared);

/// Returns the change of the run, then those of modules, nodes and other events, largest first.
std::string traceComparisonText(const TraceComparison &compared);
/// Returns a line for each node: name, operator, module, both medians in microseconds, their ratio, and the verdict.
std::string traceComparisonCsv(const TraceComparison &compared);
/// Returns the tables with all rows, for a page or Markdown.
Document traceComparisonDocument(const TraceComparison &compared);
/// Returns the comparison in the form that a file's suffix names: .json, .csv, .html, or else Markdown.
std::string traceComparisonIn(const TraceComparison &compared, std::string_view suffix);

} // namespace cutaway::report
