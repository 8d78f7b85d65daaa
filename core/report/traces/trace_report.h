// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/report/document.h"
#include "core/trace/memory_use.h"
#include "core/trace/summary.h"

namespace cutaway::report {

/// A trace beside a model.
struct TraceReport {
    std::string modelPath, tracePath;
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const trace::Trace &trace;
    trace::Linked linked = {};
    trace::Summary summary = {};
    std::vector<trace::MemoryUse> memory = {};
    std::optional<analysis::Roofline> estimate = {}; ///< on `device`
    std::string device = {};                         ///< "NVIDIA H100 SXM5 80GB"

    const ir::Graph &graph() const { return model.at(analysis.function).graph; }
};

/// Links and sums up the trace of a report. `step`: as link() has it. The estimate is for `device`; without one, for
/// the known device that the trace names, if it does. Errors: those of analysis::knownDevices().
Result<TraceReport> measuredReport(TraceReport report, const sequence::FoundStep *step,
                                   const std::optional<analysis::Device> &device);

/// A function as it ran: symbols that have no value get those that they had in the run.
analysis::Analysis analysedAsRun(const ir::Model &model, ir::FunctionId function, analysis::Given given,
                                 const trace::Trace &trace, const sequence::FoundStep *step);

/// The median time of a node in an iteration, on devices if it has kernels, beside what it does and needs at least.
struct MeasuredNode {
    ir::NodeId id;
    const trace::NodeTime *time = nullptr;
    double seconds = 0;
    std::optional<double> flops, bytes;            ///< the cost of one execution; nothing where it is no number
    std::optional<analysis::Attainable> predicted; ///< nothing without an estimate
    bool isForwardAlone = true; ///< else the time is a share of several nodes' or has that of gradients, and no rate
                                ///< follows from it

    std::optional<double> ratio() const; ///< measured / predicted
    std::optional<double> flopsPerSecond() const;
    std::optional<double> bytesPerSecond() const;
};
/// The measured nodes in the order of the model.
std::vector<MeasuredNode> measuredNodes(const TraceReport &report);
/// The measured nodes, those first that took longest.
std::vector<MeasuredNode> nodesByTime(const TraceReport &report);

/// Events without a node, summed by name, the longest first.
struct OtherEvents {
    std::string_view name, reason;
    double time = 0; ///< nanoseconds
    std::int64_t count = 0;
};
std::vector<OtherEvents> otherEvents(const trace::Trace &trace, const trace::Linked &linked);

/// The nodes of what took an allocation; "" if it is not known.
std::string ownerText(const trace::Trace &trace, const trace::Linked &linked, const ir::Graph &graph,
                      const trace::Allocation &allocation);

/// "1.2 GiB at the peak", "1.2 GiB at the peak, 2 GiB in the warm-up" where that took more
std::string memoryPeakText(const trace::MemoryUse &use);

/// "device 0", "device 0, stream 7"
std::string placeText(const trace::Trace &trace, const trace::IdleTime &idle);
/// "device 0 had nothing to do for 70.0 µs of 100 µs (70.0 %)"
std::string idleSentence(const trace::Trace &trace, const trace::IdleTime &idle);
/// An operator that a device waited for, and its nodes.
struct WaitText {
    std::string operation, nodes;
};
WaitText waitText(const TraceReport &report, const trace::Wait &wait);

/// "80.0 µs of 100 µs in 1 run of the model is linked to nodes (80.0 %)": the sentences that all reports begin with,
/// with the diagnostics.
std::vector<std::string> linkedSentences(const TraceReport &report);

/// The whole link of a trace with a model, schema cutaway.trace/1; times in microseconds.
std::string traceJson(const TraceReport &report);

/// How much of the time is known, the nodes by their time, what has no node, and the peak of memory.
std::string traceText(const TraceReport &report);
/// One line for each node: name, operator, module, calls, times in microseconds.
std::string traceCsv(const TraceReport &report);
/// The tables with all rows, and the modules, for a page or Markdown.
Document traceDocument(const TraceReport &report);

} // namespace cutaway::report
