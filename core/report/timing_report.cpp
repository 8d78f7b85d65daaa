// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing_report.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ops/dim_arithmetic.h"
#include "core/report/csv.h"
#include "core/report/dim_json.h"
#include "core/report/figures.h"
#include "core/report/names.h"
#include "core/report/text_table.h"

#include <algorithm>
#include <array>
#include <format>

namespace cutaway::report {

namespace {

using run::TimedNodes;

constexpr double inMilliseconds = 1e3, inMicroseconds = 1e6;

/// What was run as one: its parts' names and costs.
struct Row {
    std::string name, op;
    ir::Dim flops = std::int64_t{0}, bytes = std::int64_t{0};
};

Row rowOf(const TimedFunction &function, const TimedNodes &timed)
{
    if (timed.nodes.empty())
        return {timed.measured.name, timed.measured.op, ir::UnknownDim{}, ir::UnknownDim{}};
    const ir::Context &context = *function.model.context;
    Row row;
    for (const ir::NodeId node : timed.nodes) {
        row.name += (row.name.empty() ? "" : " + ") + nameOf(function.graph(), node);
        row.op += (row.op.empty() ? "" : " + ") + context.print(function.graph().at(node).op);
        const ops::Cost cost = function.analysis.costOf(node);
        row.flops = ops::plus(row.flops, cost.flops);
        row.bytes = ops::plus(row.bytes, ops::plus(cost.bytesRead, cost.bytesWritten));
    }
    return row;
}

void writeSpread(JsonWriter &out, std::string_view key, const protocol::Spread &spread)
{
    out.key(key);
    out.beginObject();
    out.member("median", spread.median * inMilliseconds);
    out.member("p5", spread.p5 * inMilliseconds);
    out.member("p95", spread.p95 * inMilliseconds);
    out.member("count", spread.count);
    out.endObject();
}

void writeNode(JsonWriter &out, const TimedFunction &function, const TimedNodes &timed)
{
    const Row row = rowOf(function, timed);
    out.beginObject();
    out.key("id");
    if (timed.nodes.empty())
        out.null();
    else
        out.value(timed.nodes.front().index);
    out.key("ids");
    out.beginArray();
    for (const ir::NodeId node : timed.nodes)
        out.value(node.index);
    out.endArray();
    out.member("name", row.name);
    out.member("op", row.op);
    out.member("backend_name", timed.measured.name);
    out.member("backend_op", timed.measured.op);
    out.member("provider", timed.measured.provider);
    out.member("start_ms", timed.measured.start * inMilliseconds);
    writeSpread(out, "ms", timed.measured.time);
    out.key("flops");
    writeDim(out, row.flops);
    out.key("bytes");
    writeDim(out, row.bytes);
    out.endObject();
}

std::vector<const TimedNodes *> slowestFirst(const run::Timing &timing)
{
    std::vector<const TimedNodes *> sorted;
    for (const TimedNodes &timed : timing.nodes)
        sorted.push_back(&timed);
    std::ranges::stable_sort(sorted, std::greater(),
                             [](const TimedNodes *timed) { return timed->measured.time.median; });
    return sorted;
}

std::string spreadText(const protocol::Spread &spread)
{
    return std::format("{} (5 % below {}, 95 % below {}; {} runs)", secondsText(spread.median), secondsText(spread.p5),
                       secondsText(spread.p95), spread.count);
}

} // namespace

std::string timingJson(const TimedFunction &function)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.profile/1");
    out.key("device");
    out.beginObject();
    out.member("name", "cpu");
    out.endObject();
    writeSpread(out, "whole_ms", function.timing.whole);
    writeSpread(out, "instrumented_ms", function.timing.instrumented);
    out.member("sum_ms", function.timing.sum() * inMilliseconds);
    out.key("process_peak_bytes");
    if (function.timing.peakBytes)
        out.value(function.timing.peakBytes);
    else
        out.null();
    out.key("peak_activation_bytes");
    writeDim(out, function.analysis.totals.peakBytes);
    out.key("nodes");
    out.beginArray();
    for (const TimedNodes &timed : function.timing.nodes)
        writeNode(out, function, timed);
    out.endArray();
    out.endObject();
    return out.take();
}

std::string timingText(const TimedFunction &function)
{
    constexpr std::size_t shown = 30;
    using enum TextTable::Align;
    const double sum = function.timing.sum();
    const auto nodes = slowestFirst(function.timing);
    TextTable table({{Right}, {Right}, {Left, 60}, {Left, 40}, {Right}});
    table.addRow({"time", "share", "node", "operator", "FLOP/s"});
    for (std::size_t i = 0; i < std::min(shown, nodes.size()); ++i) {
        const Row row = rowOf(function, *nodes[i]);
        const double seconds = nodes[i]->measured.time.median;
        const auto flops = ops::number(row.flops);
        table.addRow(
            {secondsText(seconds), sum > 0 ? percentText(seconds / sum) : "", sanitized(row.name), row.op,
             flops && *flops > 0 && seconds > 0 ? withUnit(static_cast<double>(*flops) / seconds, "FLOP/s") : ""});
    }
    std::string text = table.print(0);
    if (nodes.size() > shown)
        text += std::format("and {} more\n", nodes.size() - shown);
    return text
        + std::format("a run takes {}\nwith a clock at each node {}; the nodes' medians add up to {}\n",
                      spreadText(function.timing.whole), spreadText(function.timing.instrumented), secondsText(sum));
}

std::string timingCsv(const TimedFunction &function)
{
    std::string text = csvRow(std::array<std::string, 9>{"ids", "name", "op", "backend_op", "median_ms", "p5_ms",
                                                         "p95_ms", "flops", "bytes"});
    for (const TimedNodes &timed : function.timing.nodes) {
        const Row row = rowOf(function, timed);
        const protocol::Spread &time = timed.measured.time;
        std::string ids;
        for (const ir::NodeId node : timed.nodes)
            ids += (ids.empty() ? "" : " ") + std::to_string(node.index);
        const auto figure = [](const ir::Dim &dim) { return ops::isKnown(dim) ? ir::print(dim) : std::string(); };
        text += csvRow(std::array<std::string, 9>{
            ids, row.name, row.op, timed.measured.op, std::format("{}", time.median * inMilliseconds),
            std::format("{}", time.p5 * inMilliseconds), std::format("{}", time.p95 * inMilliseconds),
            figure(row.flops), figure(row.bytes)});
    }
    return text;
}

std::string timingTrace(const TimedFunction &function)
{
    JsonWriter out;
    out.beginObject();
    out.member("displayTimeUnit", "ms");
    out.key("traceEvents");
    out.beginArray();
    for (const TimedNodes &timed : function.timing.nodes) {
        out.beginObject();
        out.member("name", rowOf(function, timed).name);
        out.member("cat", timed.measured.op);
        out.member("ph", "X");
        out.member("ts", timed.measured.start * inMicroseconds);
        out.member("dur", timed.measured.time.median * inMicroseconds);
        out.member("pid", 1);
        out.member("tid", 1);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
