// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/traces/trace_report.h"

#include <array>

namespace cutaway::report {

namespace {

constexpr std::size_t mostRows = 20;

std::string nanosecondsText(double nanoseconds) { return print::secondsText(nanoseconds * 1e-9); }

std::string moreText(std::size_t all) { return all > mostRows ? formatted("  and {} more\n", all - mostRows) : ""; }

std::string nodeTimesText(const TraceReport &report)
{
    const auto nodes = nodesByTime(report);
    if (nodes.empty())
        return {};
    using enum print::TextTable::Align;
    const bool hasDevices = report.summary.device.total > 0;
    const double total = report.summary.all.total;
    print::TextTable table({{}, {}, {}, {Right}, {Right}, {Right}, {Right}, {Right}, {Right}});
    table.addRow({"node", "operator", "module", "time", "share", "calls", "median", hasDevices ? "device" : "",
                  report.estimate ? "÷ predicted" : ""});
    for (std::size_t i = 0; i < std::min(nodes.size(), mostRows); ++i) {
        const trace::NodeTime &time = *nodes[i].time;
        const ir::NodeRef node(report.graph(), nodes[i].id);
        const auto ratio = nodes[i].ratio();
        table.addRow({sanitized(ir::nameOf(node)), sanitized(node.fullName()),
                      sanitized(report.graph().context().text(node.scope().path)), nanosecondsText(time.time),
                      print::percentText(total > 0 ? time.time / total : 0), formatted("{}", time.calls),
                      nanosecondsText(time.median), time.device ? nanosecondsText(*time.device) : "",
                      ratio ? formatted("{:.3g}", *ratio) : ""});
    }
    return "\nnodes\n" + table.print(2) + moreText(nodes.size())
        + (report.estimate ? "  predicted on " + report.device + "\n" : "");
}

std::string otherEventsText(const TraceReport &report)
{
    const auto others = otherEvents(report.trace, report.linked);
    if (others.empty())
        return {};
    using enum print::TextTable::Align;
    print::TextTable table({{}, {Right}, {Right}, {.isProse = true}});
    for (std::size_t i = 0; i < std::min(others.size(), mostRows); ++i)
        table.addRow({sanitized(others[i].name), nanosecondsText(others[i].time), formatted("{} ×", others[i].count),
                      std::string(others[i].reason)});
    return "\nwithout a node\n" + table.print(2) + moreText(others.size());
}

std::string idleText(const TraceReport &report)
{
    constexpr std::size_t mostWaits = 5;
    using enum print::TextTable::Align;
    std::string text;
    for (const trace::IdleTime &idle : report.summary.idle) {
        if (idle.stream)
            continue; // streams are only in the HTML report
        print::TextTable table({{Right}, {Right}, {}, {}});
        for (std::size_t i = 0; i < std::min(idle.waits.size(), mostWaits); ++i) {
            const auto [operation, nodes] = waitText(report, idle.waits[i]);
            table.addRow(
                {nanosecondsText(idle.waits[i].time), formatted("{} ×", idle.waits[i].count), operation, nodes});
        }
        text += "\n" + idleSentence(report.trace, idle);
        text += idle.waits.empty() ? "\n" : "; it waited for\n" + table.print(2);
    }
    return text;
}

std::string memoryText(const TraceReport &report)
{
    constexpr std::size_t mostTensors = 5;
    using enum print::TextTable::Align;
    std::string text;
    for (const trace::MemoryUse &use : report.memory) {
        print::TextTable table({{Right}, {}});
        for (std::size_t i = 0; i < std::min(use.liveAtPeak.size(), mostTensors); ++i)
            table.addRow({print::bytesText(ir::Dim(use.liveAtPeak[i].bytes)),
                          ownerText(report.trace, report.linked, report.graph(), use.liveAtPeak[i])});
        text += formatted("\nmemory on {}: {}; the largest tensors are of\n{}",
                          sanitized(report.trace.texts.at(use.device)), memoryPeakText(use), table.print(2));
    }
    return text;
}

} // namespace

std::string traceText(const TraceReport &report)
{
    std::string text;
    for (const std::string &sentence : linkedSentences(report))
        text += sentence + "\n";
    return print::fitted(text) + nodeTimesText(report) + otherEventsText(report) + idleText(report)
        + memoryText(report);
}

std::string traceCsv(const TraceReport &report)
{
    std::string text = print::csvRow(std::array<std::string, 9>{"name", "op", "scope", "calls", "time_us", "min_us",
                                                                "median_us", "device_us", "launches"});
    const auto us = [](double nanoseconds) { return formatted("{:.3f}", nanoseconds / 1000); };
    for (const MeasuredNode &each : nodesByTime(report)) {
        const trace::NodeTime &time = *each.time;
        const ir::NodeRef node(report.graph(), each.id);
        text += print::csvRow(std::array<std::string, 9>{
            ir::nameOf(node), node.fullName(), std::string(report.graph().context().text(node.scope().path)),
            formatted("{}", time.calls), us(time.time), us(time.min), us(time.median),
            time.device ? us(*time.device) : "", formatted("{}", time.launches)});
    }
    return text;
}

} // namespace cutaway::report
