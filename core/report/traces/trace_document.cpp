// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/figures.h"
#include "core/report/cells.h"
#include "core/report/traces/trace_report.h"

namespace cutaway::report {

namespace {

using ColumnKind = Column::Kind;

Cell nanosecondsCell(double nanoseconds) { return secondsCell(nanoseconds * 1e-9); }

Cell bytesCell(std::int64_t bytes) { return {print::bytesText(ir::Dim(bytes)), grouped(bytes), double(bytes)}; }

Cell rateCell(std::optional<double> rate, std::string_view unit)
{
    return !rate ? Cell{"?"} : *rate > 0 ? Cell{print::withUnit(*rate, unit), {}, rate} : Cell{"", {}, 0.0};
}

Cell shareCell(double part, double whole)
{
    const double share = whole > 0 ? part / whole : 0;
    return {print::percentText(share), {}, share};
}

const char *boundText(analysis::Attainable::Bound bound)
{
    using enum analysis::Attainable::Bound;
    return bound == Compute ? "compute" : bound == Memory ? "memory" : "";
}

Section measuredSection(const TraceReport &report)
{
    Table table{.columns = {{"Node", ColumnKind::Name},
                            {"Operator", ColumnKind::Name},
                            {"Module", ColumnKind::Name},
                            {"Time", ColumnKind::Number},
                            {"Share", ColumnKind::Number},
                            {"Calls", ColumnKind::Number},
                            {"Median of a run", ColumnKind::Number},
                            {"On devices", ColumnKind::Number},
                            {"FLOP/s", ColumnKind::Number},
                            {"Bytes/s", ColumnKind::Number}},
                .rows = {}};
    if (report.estimate)
        table.columns.insert(table.columns.end(),
                             {{"Measured ÷ predicted", ColumnKind::Number}, {"Bound by", ColumnKind::Text}});
    for (const MeasuredNode &each : nodesByTime(report)) {
        const trace::NodeTime &time = *each.time;
        const ir::NodeRef node(report.graph(), each.id);
        std::vector<Cell> row{{sanitized(ir::nameOf(node))},
                              {sanitized(node.fullName())},
                              {sanitized(report.graph().context().text(node.scope().path))},
                              nanosecondsCell(time.time),
                              shareCell(time.time, report.summary.all.total),
                              countCell(time.calls),
                              nanosecondsCell(time.median),
                              time.device ? nanosecondsCell(*time.device) : Cell{},
                              rateCell(each.flopsPerSecond(), "FLOP/s"),
                              rateCell(each.bytesPerSecond(), "B/s")};
        if (report.estimate) {
            const auto ratio = each.ratio();
            row.push_back(ratio ? Cell{formatted("{:.3g}", *ratio), {}, ratio} : Cell{"?"});
            row.push_back({each.predicted ? boundText(each.predicted->bound) : ""});
        }
        table.rows.push_back(std::move(row));
    }
    Section section{.id = "nodes", .title = "Nodes"};
    if (report.estimate)
        section.notes.push_back("Predicted on " + report.device + ".");
    section.tables.push_back(std::move(table));
    return section;
}

Section measuredModules(const TraceReport &report)
{
    Table table{.columns = {{"Module", ColumnKind::Name}, {"Time", ColumnKind::Number}, {"Share", ColumnKind::Number}},
                .rows = {}};
    for (const auto &[path, time] : report.summary.modules)
        table.rows.push_back({{path.empty() ? "the whole" : sanitized(path)},
                              nanosecondsCell(time),
                              shareCell(time, report.summary.all.total)});
    Section section{.id = "modules", .title = "Modules"};
    section.tables.push_back(std::move(table));
    return section;
}

Section otherSection(const TraceReport &report)
{
    Table table{
        .columns = {{"Event", ColumnKind::Name}, {"Time", ColumnKind::Number}, {"Count", ColumnKind::Number}, {"Why"}},
        .rows = {}};
    for (const OtherEvents &other : otherEvents(report.trace, report.linked))
        table.rows.push_back({{sanitized(other.name)},
                              nanosecondsCell(other.time),
                              countCell(other.count),
                              {std::string(other.reason)}});
    Section section{.id = "others", .title = "No node's"};
    section.tables.push_back(std::move(table));
    return section;
}

Section idleSection(const TraceReport &report)
{
    Section section{.id = "idle", .title = "Idle devices"};
    for (const trace::IdleTime &idle : report.summary.idle) {
        section.notes.push_back(idleSentence(report.trace, idle) + ".");
        Table table{.title = "What " + placeText(report.trace, idle) + " waited for",
                    .columns = {{"Operator", ColumnKind::Name},
                                {"Nodes", ColumnKind::Name},
                                {"Time", ColumnKind::Number},
                                {"Share", ColumnKind::Number},
                                {"Count", ColumnKind::Number}},
                    .rows = {}};
        for (const trace::Wait &wait : idle.waits) {
            const auto [operation, nodes] = waitText(report, wait);
            table.rows.push_back({{operation},
                                  {nodes},
                                  nanosecondsCell(wait.time),
                                  shareCell(wait.time, idle.total),
                                  countCell(wait.count)});
        }
        section.tables.push_back(std::move(table));
    }
    return section;
}

Section memorySection(const TraceReport &report)
{
    Section section{.id = "memory", .title = "Memory"};
    for (const trace::MemoryUse &use : report.memory) {
        const std::string device = sanitized(report.trace.texts.at(use.device));
        section.notes.push_back(formatted("{}: {} (tensors at the peak: {}). What was taken before the trace began is "
                                          "not in it.",
                                          device, memoryPeakText(use), use.liveAtPeak.size()));
        Table table{.title = "Live at the peak on " + device,
                    .columns = {{"Bytes", ColumnKind::Number, "B"}, {"Made by", ColumnKind::Name}},
                    .rows = {}};
        for (const trace::Allocation &each : use.liveAtPeak)
            table.rows.push_back(
                {bytesCell(each.bytes), {ownerText(report.trace, report.linked, report.graph(), each)}});
        section.tables.push_back(std::move(table));
    }
    return section;
}

} // namespace

Document traceDocument(const TraceReport &report)
{
    const trace::LaneTime &all = report.summary.all;
    Document document{"Measured run", report.tracePath + " of " + report.modelPath, {}, {}};
    document.headlines = {{"Linked to nodes", print::percentText(all.total > 0 ? all.linked / all.total : 0), {}},
                          {"Runs", std::to_string(report.linked.iterations.size()), {}},
                          {"Time", print::secondsText(all.total * 1e-9), {}}};
    if (report.summary.device.total > 0)
        document.headlines.push_back({"On devices", print::secondsText(report.summary.device.total * 1e-9), {}});
    document.sections.push_back({.id = "summary", .title = "Summary", .notes = linkedSentences(report)});
    document.sections.push_back(measuredSection(report));
    document.sections.push_back(measuredModules(report));
    document.sections.push_back(otherSection(report));
    document.sections.push_back(idleSection(report));
    document.sections.push_back(memorySection(report));
    std::erase_if(document.sections, [](const Section &section) {
        return section.notes.empty() && (section.tables.empty() || section.tables[0].rows.empty());
    });
    return document;
}

} // namespace cutaway::report
