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

/// Schema cutaway.trace-comparison/1; times in microseconds.
std::string traceComparisonJson(const TraceComparison &compared);

/// The run, then modules, nodes and other events by how much they changed.
std::string traceComparisonText(const TraceComparison &compared);
/// One line for each node: name, operator, module, both medians in microseconds, their ratio, and the verdict.
std::string traceComparisonCsv(const TraceComparison &compared);
/// The tables with all rows, for a page or Markdown.
Document traceComparisonDocument(const TraceComparison &compared);
/// The comparison in the form that a file's suffix names: .json, .csv, .html, or else Markdown.
std::string traceComparisonIn(const TraceComparison &compared, std::string_view suffix);

} // namespace cutaway::report
