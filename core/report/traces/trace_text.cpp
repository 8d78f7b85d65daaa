// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/traces/trace_report.h"

#include <algorithm>
#include <array>
#include <map>

namespace cutaway::report {

namespace {

constexpr double inSeconds = 1e-9;
constexpr std::size_t mostRows = 20;

std::string timeText(double nanoseconds) { return print::secondsText(nanoseconds * inSeconds); }

std::string shareText(double part, double whole) { return print::percentText(whole > 0 ? part / whole : 0); }

std::vector<std::pair<ir::NodeId, trace::NodeTime>> byTime(const trace::Summary &summary)
{
    std::vector<std::pair<ir::NodeId, trace::NodeTime>> nodes(summary.nodes.begin(), summary.nodes.end());
    std::ranges::stable_sort(nodes, std::ranges::greater(), [](const auto &each) { return each.second.time; });
    return nodes;
}

/// How much of the time is known to be whose.
std::string linkedShareText(const TraceReport &report)
{
    const trace::LaneTime &all = report.summary.all;
    std::size_t count = report.linked.iterations.size();
    std::string text = formatted("{} of {} in {} run{} of the model is linked to nodes ({}); {} is no node's, {} lies "
                                 "between\n",
                                 timeText(all.linked), timeText(all.total), count, count == 1 ? "" : "s",
                                 shareText(all.linked, all.total), timeText(all.unlinked), timeText(all.gaps()));
    if (report.summary.device.total > 0)
        text += formatted("{} on devices, {} of it linked\n", timeText(report.summary.device.total),
                          shareText(report.summary.device.linked, report.summary.device.total));
    for (const ir::Diagnostic &each : report.linked.diagnostics)
        text += formatted("{}: {}\n", ir::name(each.severity), each.message);
    return print::fitted(text);
}

std::string nodeTimesText(const TraceReport &report)
{
    const auto nodes = byTime(report.summary);
    if (nodes.empty())
        return {};
    using Align = print::TextTable::Align;
    const ir::Graph &graph = report.model.at(report.analysis.function).graph;
    const bool hasDevices = report.summary.device.total > 0;
    print::TextTable table(
        {{}, {}, {}, {Align::Right}, {Align::Right}, {Align::Right}, {Align::Right}, {Align::Right}});
    table.addRow({"node", "operator", "module", "time", "share", "calls", "median", hasDevices ? "device" : ""});
    for (std::size_t i = 0; i < std::min(nodes.size(), mostRows); ++i) {
        const auto &[id, time] = nodes[i];
        const ir::NodeRef node(graph, id);
        table.addRow({sanitized(ir::nameOf(node)), sanitized(node.fullName()),
                      sanitized(graph.context().text(node.scope().path)), timeText(time.time),
                      shareText(time.time, report.summary.all.total), formatted("{}", time.calls),
                      timeText(time.median), time.device ? timeText(*time.device) : ""});
    }
    std::string text = "\nnodes\n" + table.print(2);
    if (nodes.size() > mostRows)
        text += formatted("  and {} more\n", nodes.size() - mostRows);
    return text;
}

/// Events without a node, summed by name.
std::string otherEventsText(const TraceReport &report)
{
    struct Other {
        double time = 0;
        std::int64_t count = 0;
        std::string reason;
    };
    std::map<std::string_view, Other> others;
    for (const trace::Row &row : report.linked.rows)
        if (row.link.nodes.empty()) {
            Other &other = others[report.trace.nameOf(report.trace.events[row.event])];
            other.time += static_cast<double>(row.duration);
            ++other.count;
            other.reason = row.link.reason;
        }
    if (others.empty())
        return {};
    std::vector<std::pair<std::string_view, Other>> sorted(others.begin(), others.end());
    std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto &each) { return each.second.time; });
    using Align = print::TextTable::Align;
    print::TextTable table({{}, {Align::Right}, {Align::Right}, {.isProse = true}});
    for (std::size_t i = 0; i < std::min(sorted.size(), mostRows); ++i)
        table.addRow({sanitized(sorted[i].first), timeText(sorted[i].second.time),
                      formatted("{} ×", sorted[i].second.count), sorted[i].second.reason});
    std::string text = "\nno node's\n" + table.print(2);
    if (sorted.size() > mostRows)
        text += formatted("  and {} more\n", sorted.size() - mostRows);
    return text;
}

} // namespace

std::string traceText(const TraceReport &report)
{
    return linkedShareText(report) + nodeTimesText(report) + otherEventsText(report);
}

std::string traceCsv(const TraceReport &report)
{
    const ir::Graph &graph = report.model.at(report.analysis.function).graph;
    std::string text = print::csvRow(std::array<std::string, 9>{"name", "op", "scope", "calls", "time_us", "min_us",
                                                                "median_us", "device_us", "launches"});
    const auto us = [](double nanoseconds) { return formatted("{:.3f}", nanoseconds / 1000); };
    for (const auto &[id, time] : byTime(report.summary)) {
        const ir::NodeRef node(graph, id);
        text += print::csvRow(std::array<std::string, 9>{
            ir::nameOf(node), node.fullName(), std::string(graph.context().text(node.scope().path)),
            formatted("{}", time.calls), us(time.time), us(time.min), us(time.median),
            time.device ? us(*time.device) : "", formatted("{}", time.launches)});
    }
    return text;
}

} // namespace cutaway::report
