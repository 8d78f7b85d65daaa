// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/report/document.h"
#include "core/trace/memory_use.h"
#include "core/trace/summary.h"

namespace cutaway::report {

/// A trace, linked to a model.
struct TraceReport {
    std::string modelPath, tracePath;
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const trace::Trace &trace;
    trace::Linked linked = {};
    trace::Summary summary = {};
    std::vector<trace::MemoryUse> memory = {};
    std::optional<analysis::Roofline> estimate = {}; ///< the estimate for `device`
    std::string device = {};                         ///< "NVIDIA H100 SXM5 80GB"

    const ir::Graph &graph() const { return model.at(analysis.function).graph; }
};

/// Links and sums up the trace of a report. `step`: as for link(). The roofline is computed for `device`, or, without
/// one, for the known device that the trace names, if there is one. Errors: those of analysis::knownDevices().
Result<TraceReport> measuredReport(TraceReport report, const sequence::FoundStep *step,
                                   const std::optional<analysis::Device> &device);

/// Analyses a function with the sizes of the run: symbols without a value get that of the trace.
analysis::Analysis analysedAsRun(const ir::Model &model, ir::FunctionId function, analysis::Given given,
                                 const trace::Trace &trace, const sequence::FoundStep *step);

/// The median time of a node in an iteration, on devices if it has kernels, with its cost and the least time for it.
struct MeasuredNode {
    ir::NodeId id;
    const trace::NodeTime *time = nullptr;
    double seconds = 0;
    std::optional<double> flops, bytes;            ///< the cost of one execution; nothing if that is no number
    std::optional<analysis::Attainable> predicted; ///< the least time; nothing without a device
    /// False if nodes share the time, or it includes gradients; no ratio or rate is computed from such a time.
    bool isForwardAlone = true;

    std::optional<double> ratio() const; ///< returns the measured time divided by the predicted one
    std::optional<double> flopsPerSecond() const;
    std::optional<double> bytesPerSecond() const;
};
/// Returns the measured nodes in the order of the model.
std::vector<MeasuredNode> measuredNodes(const TraceReport &report);
/// Returns the measured nodes, those first that took longest.
std::vector<MeasuredNode> nodesByTime(const TraceReport &report);

/// Events that are linked to no node, summed by name, the longest first.
struct OtherEvents {
    std::string_view name, reason;
    double time = 0; ///< in nanoseconds
    std::int64_t count = 0;
};
std::vector<OtherEvents> otherEvents(const trace::Trace &trace, const trace::Linked &linked);

/// Returns the names of the nodes that made an allocation, with "gradient of " before them in the backward; if no node
/// is linked to the event that made it, the name of that event; "" if the event is not known.
std::string ownerText(const trace::Trace &trace, const trace::Linked &linked, const ir::Graph &graph,
                      const trace::Allocation &allocation);

/// Returns "1.2 GiB at the peak", or "1.2 GiB at the peak, 2 GiB in the warm-up" if the warm-up took more.
std::string memoryPeakText(const trace::MemoryUse &use);

/// Returns "device 0", or "device 0, stream 7".
std::string placeText(const trace::Trace &trace, const trace::IdleTime &idle);
/// Returns "device 0 had nothing to do for 70.0 µs of 100 µs (70.0 %)".
std::string idleSentence(const trace::Trace &trace, const trace::IdleTime &idle);
/// An operator that a device waited for, and its nodes.
struct WaitText {
    std::string operation, nodes;
};
WaitText waitText(const TraceReport &report, const trace::Wait &wait);

/// Returns the sentences that all reports begin with, and the diagnostics: "80.0 µs of 100 µs in 1 run of the model is
/// linked to nodes (80.0 %)".
std::vector<std::string> linkedSentences(const TraceReport &report);

/// Returns the whole link of a trace with a model, schema cutaway.trace/1; times are in microseconds.
std::string traceJson(const TraceReport &report);

/// Returns the known share of the time, the nodes by time, events without a node, and the peak of memory.
std::string traceText(const TraceReport &report);
/// Returns a table with a line for each node: name, operator, module, calls, times in microseconds.
std::string traceCsv(const TraceReport &report);
/// Returns the tables with all rows, and the modules, for a page or Markdown.
Document traceDocument(const TraceReport &report);

} // namespace cutaway::report
