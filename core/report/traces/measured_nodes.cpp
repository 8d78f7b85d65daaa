// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/figures.h"
#include "core/report/cells.h"
#include "core/report/traces/trace_report.h"
#include "core/trace/comparison.h"

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::report {

namespace {

constexpr double perNanosecond = 1e-9;

std::string timeText(double nanoseconds) { return print::secondsText(nanoseconds * perNanosecond); }
std::string partText(double part, double whole) { return print::percentText(whole > 0 ? part / whole : 0); }

/// Returns the nodes whose time includes more than their own forward execution.
std::set<ir::NodeId> withOtherTime(const trace::Linked &linked)
{
    std::set<ir::NodeId> nodes;
    for (const trace::Row &row : linked.rows)
        if (row.phase == trace::Phase::Backward || row.link.nodes.size() > 1)
            nodes.insert(row.link.nodes.begin(), row.link.nodes.end());
    for (const trace::DeviceRow &row : linked.devices)
        if (row.link.nodes.size() > 1)
            nodes.insert(row.link.nodes.begin(), row.link.nodes.end());
    return nodes;
}

} // namespace

std::optional<double> MeasuredNode::ratio() const
{
    return isForwardAlone && predicted && predicted->seconds > 0 ? std::optional(seconds / predicted->seconds)
                                                                 : std::nullopt;
}

std::optional<double> MeasuredNode::flopsPerSecond() const
{
    return isForwardAlone && flops && seconds > 0 ? std::optional(*flops / seconds) : std::nullopt;
}

std::optional<double> MeasuredNode::bytesPerSecond() const
{
    return isForwardAlone && bytes && seconds > 0 ? std::optional(*bytes / seconds) : std::nullopt;
}

std::vector<MeasuredNode> measuredNodes(const TraceReport &report)
{
    std::map<ir::NodeId, ops::Cost> costs;
    for (const NodeRow &row : costTables(report.model, report.analysis, nullptr).nodes)
        costs.emplace(row.id, row.cost);
    const auto numberOf = [](const ir::Dim &dim) {
        return ops::number(dim).transform([](auto n) { return static_cast<double>(n); });
    };
    const std::set<ir::NodeId> others = withOtherTime(report.linked);
    std::vector<MeasuredNode> nodes;
    for (const auto &[id, time] : report.summary.nodes) {
        MeasuredNode node{.id = id,
                          .time = &time,
                          .seconds = trace::spreadOfRuns(time).median,
                          .flops = {},
                          .bytes = {},
                          .predicted = {},
                          .isForwardAlone = !others.contains(id)};
        if (const auto cost = costs.find(id); cost != costs.end()) {
            node.flops = numberOf(cost->second.flops);
            node.bytes = numberOf(bytesMoved(cost->second));
        }
        if (report.estimate)
            node.predicted = report.estimate->nodes[id.index];
        nodes.push_back(node);
    }
    return nodes;
}

std::vector<MeasuredNode> nodesByTime(const TraceReport &report)
{
    auto nodes = measuredNodes(report);
    std::ranges::stable_sort(nodes, std::ranges::greater(), [](const MeasuredNode &node) { return node.time->time; });
    return nodes;
}

std::vector<OtherEvents> otherEvents(const trace::Trace &trace, const trace::Linked &linked)
{
    std::map<std::string_view, OtherEvents> byName;
    for (const trace::Row &row : linked.rows)
        if (row.link.nodes.empty()) {
            OtherEvents &other = byName[trace.nameOf(trace.events[row.event])];
            other.time += static_cast<double>(row.duration);
            ++other.count;
            other.reason = row.link.reason;
        }
    std::vector<OtherEvents> others;
    for (auto &[name, other] : byName) {
        other.name = name;
        others.push_back(other);
    }
    std::ranges::stable_sort(others, std::ranges::greater(), &OtherEvents::time);
    return others;
}

std::string ownerText(const trace::Trace &trace, const trace::Linked &linked, const ir::Graph &graph,
                      const trace::Allocation &allocation)
{
    if (!allocation.row)
        return {};
    const trace::Row &row = linked.rows[*allocation.row];
    if (row.link.nodes.empty())
        return sanitized(trace.nameOf(trace.events[row.event]));
    std::vector<std::string> names;
    for (const ir::NodeId node : row.link.nodes)
        names.push_back(sanitized(ir::nameOf(ir::NodeRef(graph, node))));
    return (row.phase == trace::Phase::Backward ? "gradient of " : "") + joined(names, ", ");
}

std::string memoryPeakText(const trace::MemoryUse &use)
{
    const auto bytes = [](std::int64_t count) { return print::bytesText(ir::Dim(count)); };
    return bytes(use.peakBytes()) + " at the peak"
        + (use.warmUpPeak > use.peakBytes() ? ", " + bytes(use.warmUpPeak) + " in the warm-up" : "");
}

std::string placeText(const trace::Trace &trace, const trace::IdleTime &idle)
{
    std::string device = idle.device ? formatted("device {}", *idle.device) : "the device";
    if (!idle.stream)
        return device;
    const std::string_view lane = trace.texts.at(*idle.stream);
    return formatted("{}, stream {}", device, sanitized(lane.substr(lane.find('/') + 1)));
}

std::string idleSentence(const trace::Trace &trace, const trace::IdleTime &idle)
{
    return formatted("{} had nothing to do for {} of {} ({})", placeText(trace, idle), timeText(idle.idle),
                     timeText(idle.total), partText(idle.idle, idle.total));
}

WaitText waitText(const TraceReport &report, const trace::Wait &wait)
{
    if (!wait.operation)
        return {"what no operator is known to have launched, or the end of the run", ""};
    std::vector<std::string> names;
    for (const ir::NodeId node : wait.nodes)
        names.push_back(sanitized(ir::nameOf(ir::NodeRef(report.graph(), node))));
    return {sanitized(report.trace.nameOf(report.trace.events[*wait.operation])), joined(names, ", ")};
}

std::vector<std::string> linkedSentences(const TraceReport &report)
{
    const trace::LaneTime &all = report.summary.all;
    const std::size_t count = report.linked.iterations.size();
    std::vector<std::string> sentences{
        formatted("{} of {} in {} of the model is linked to nodes ({}); {} belongs to no node, {} lies between",
                  timeText(all.linked), timeText(all.total), quantity(count, "run"), partText(all.linked, all.total),
                  timeText(all.unlinked), timeText(all.gaps()))};
    const trace::LaneTime &device = report.summary.device;
    if (device.total > 0)
        sentences.push_back(
            formatted("{} on devices, {} of it linked", timeText(device.total), partText(device.linked, device.total)));
    for (const ir::Diagnostic &each : report.linked.diagnostics)
        sentences.push_back(formatted("{}: {}", ir::name(each.severity), each.message));
    return sentences;
}

} // namespace cutaway::report
