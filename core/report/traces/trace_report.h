// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/summary.h"

namespace cutaway::report {

/// A trace beside a model.
struct TraceReport {
    std::string modelPath, tracePath;
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const trace::Trace &trace;
    trace::Linked linked;
    trace::Summary summary;
};

/// The whole link of a trace with a model, schema cutaway.trace/1; times in microseconds.
std::string traceJson(const TraceReport &report);

/// How much of the time is known, the nodes by their time, and what has no node.
std::string traceText(const TraceReport &report);
/// One line for each node: name, operator, module, calls, times in microseconds.
std::string traceCsv(const TraceReport &report);

} // namespace cutaway::report
