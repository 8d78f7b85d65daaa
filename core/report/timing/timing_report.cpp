// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/timing_report.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/operator.h"
#include "core/print/csv.h"
#include "core/print/dim_json.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/timing/time_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::report {

namespace {

using run::TimedNodes;

constexpr double inMicroseconds = 1e6;

/// Finds the cost of what a node computes within its measured time. The cost is unknown for a node with timed nodes in
/// its regions, since its time does not include theirs, and for a node in a loop, since its time is that of all
/// iterations.
class TimedCosts {
public:
    explicit TimedCosts(const TimedFunction &function) : m_function(function)
    {
        for (const TimedNodes &timed : function.timing.nodes)
            for (const ir::NodeId node : timed.nodes)
                for (auto owner = around(node); owner && m_around.insert(*owner).second; owner = around(*owner)) { }
    }

    ops::Cost of(ir::NodeId node) const
    {
        bool isOfOneRun = !m_around.contains(node);
        for (auto owner = around(node); owner && isOfOneRun; owner = around(*owner))
            isOfOneRun = !repeats({m_function.graph(), *owner});
        const ir::Dim unknown = ir::UnknownDim{};
        return isOfOneRun ? m_function.analysis.costOf(node) : ops::Cost{unknown, unknown, unknown, unknown};
    }

private:
    std::optional<ir::NodeId> around(ir::NodeId node) const
    {
        return m_function.graph().at(m_function.graph().at(node).parent).owner;
    }

    static bool repeats(const ir::NodeRef &node)
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        return !row || row->traits.repeatsRegions;
    }

    const TimedFunction &m_function;
    std::unordered_set<ir::NodeId> m_around;
};

/// Nodes that ran as one, with their names and costs.
struct TimingRow {
    std::string name, op;
    ir::Dim flops = std::int64_t{0}, bytes = std::int64_t{0};
};

TimingRow timingRow(const TimedFunction &function, const TimedCosts &costs, const TimedNodes &timed)
{
    if (timed.nodes.empty())
        return {timed.measured.name, timed.measured.op, ir::UnknownDim{}, ir::UnknownDim{}};
    TimingRow row;
    for (const ir::NodeId id : timed.nodes) {
        const ir::NodeRef node(function.graph(), id);
        row.name += (row.name.empty() ? "" : " + ") + nameOf(node);
        row.op += (row.op.empty() ? "" : " + ") + node.fullName();
        const ops::Cost cost = costs.of(node);
        row.flops = ops::plus(row.flops, cost.flops);
        row.bytes = ops::plus(row.bytes, ops::plus(cost.bytesRead, cost.bytesWritten));
    }
    return row;
}

/// Writes a number of bytes; null for 0, which means unknown.
void writeBytes(JsonWriter &out, std::string_view key, std::uint64_t bytes)
{
    out.key(key);
    if (bytes > 0)
        out.value(bytes);
    else
        out.null();
}

/// The live memory that the analysis predicts while nodes run.
class PredictedMemory {
public:
    explicit PredictedMemory(const TimedFunction &function) : m_alive(function.analysis.memory.alive)
    {
        std::size_t step = 0; // step at which the inputs are live
        for (const ir::NodeId node : function.graph().at(ir::Graph::body).nodes)
            m_steps.emplace(node, ++step);
    }

    /// Returns the maximum over the nodes.
    ir::Dim at(const std::vector<ir::NodeId> &nodes) const
    {
        std::int64_t most = 0;
        for (const ir::NodeId node : nodes) {
            const auto step = m_steps.find(node);
            const bool isKnown = step != m_steps.end() && step->second < m_alive.size();
            const auto bytes = isKnown ? ops::number(m_alive[step->second]) : std::nullopt;
            if (!bytes)
                return ir::UnknownDim{};
            most = std::max(most, *bytes);
        }
        return nodes.empty() ? ir::Dim(ir::UnknownDim{}) : ir::Dim(most);
    }

private:
    const std::vector<ir::Dim> &m_alive;
    std::unordered_map<ir::NodeId, std::size_t> m_steps;
};

/// Writes the keys by which a node is recognised when the profile is loaded.
void writeParts(JsonWriter &out, const TimedFunction &function, const TimedNodes &timed)
{
    out.key("parts");
    out.beginArray();
    for (const ir::NodeId id : timed.nodes) {
        const ir::NodeRef node(function.graph(), id);
        out.beginObject();
        out.member("id", id.index);
        out.member("name", nameOf(node));
        out.member("op", node.fullName());
        out.endObject();
    }
    out.endArray();
}

void writeInputs(JsonWriter &out, const std::vector<run::InputSize> &inputs)
{
    out.key("inputs");
    out.beginArray();
    for (const run::InputSize &input : inputs) {
        out.beginObject();
        out.member("name", input.name);
        out.member("dtype", ir::name(input.dtype));
        out.key("shape");
        out.beginArray();
        for (const std::int64_t size : input.shape)
            out.value(size);
        out.endArray();
        out.endObject();
    }
    out.endArray();
}

void writeNode(JsonWriter &out, const TimedFunction &function, const TimedCosts &costs,
               const PredictedMemory &predicted, const TimedNodes &timed)
{
    const TimingRow row = timingRow(function, costs, timed);
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
    writeParts(out, function, timed);
    out.member("name", row.name);
    out.member("op", row.op);
    out.member("backend_name", timed.measured.name);
    out.member("backend_op", timed.measured.op);
    out.member("backend_index", timed.measured.index);
    out.member("provider", timed.measured.provider);
    out.member("start_ms", timed.measured.start * inMilliseconds);
    writeSpread(out, "ms", timed.measured.time);
    writeBytes(out, "memory_bytes", timed.measured.memory);
    out.key("predicted_memory_bytes");
    print::writeDim(out, predicted.at(timed.nodes));
    out.key("flops");
    print::writeDim(out, row.flops);
    out.key("bytes");
    print::writeDim(out, row.bytes);
    out.endObject();
}

void writeModel(JsonWriter &out, const TimedFunction &function)
{
    out.key("model");
    out.beginObject();
    out.member("format", function.model.format);
    out.member("function", function.model.context->text(function.model.at(function.analysis.function).name));
    if (const auto &file = function.timing.file) {
        out.member("file", file->name);
        out.member("bytes", file->bytes);
        out.member("sha256_of_ends", file->ends);
    }
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

std::string counted(std::uint64_t count, std::string_view what)
{
    return count == 0 ? std::string() : quantity(count, what);
}

std::string spreadText(const protocol::Spread &spread)
{
    return formatted("{} (5 % below {}, 95 % below {}; {})", print::secondsText(spread.median),
                     print::secondsText(spread.p5), print::secondsText(spread.p95), counted(spread.count, "run"));
}

/// Returns how the time of a profiled run is divided: in nodes, between them, and the overhead of the clocks.
std::string accountText(const run::Timing &timing)
{
    const auto medians = timing.sumOfMedians();
    if (!medians)
        return "the backend does not report times of single nodes\n";
    std::string text = "with per-node timing " + spreadText(timing.instrumented);
    if (timing.inNodes.count > 0)
        text += formatted(": {} in nodes, {} overhead outside nodes", print::secondsText(timing.inNodes.median),
                          print::secondsText(timing.between.median));
    if (timing.instrumented.median > timing.whole.median && timing.whole.median > 0)
        text += formatted("\ntiming overhead: {}, {} of a run",
                          print::secondsText(timing.instrumented.median - timing.whole.median),
                          print::percentText(timing.instrumented.median / timing.whole.median - 1));
    return text
        + (timing.inNodes.count > 0 ? formatted("\nsum of the nodes' medians: {} (the median of sums is larger where "
                                                "delays hit different nodes in different runs)\n",
                                                print::secondsText(*medians))
                                    : formatted("\nsum of the nodes' medians: {}\n", print::secondsText(*medians)));
}

std::string memoryText(const TimedFunction &function)
{
    if (function.timing.peakActivation == 0)
        return {};
    return formatted("measured peak memory: {} (without inputs), predicted: {} (with inputs)\n",
                     print::bytesText(static_cast<std::int64_t>(function.timing.peakActivation)),
                     print::bytesText(function.analysis.totals.peakBytes));
}

/// Returns "on an AMD EPYC 9554, 64 cores, 3.1 GHz; ONNX Runtime 1.21.0, optimization all, 4 threads;
/// 2026-11-22T09:10:00Z".
std::string conditionsText(const protocol::Conditions &conditions)
{
    const protocol::Machine &machine = conditions.machine;
    std::string text;
    const auto add = [&](std::string_view between, const std::string &part) {
        if (!part.empty())
            text.append(text.empty() ? "" : between).append(part);
    };
    add("", machine.processor);
    add(", ", counted(machine.cores, "core"));
    add(", ", machine.clock > 0 ? print::withUnit(machine.clock, "Hz") : "");
    add(", ", machine.governor);
    add("; ", conditions.libraries.empty() ? "" : conditions.libraries.front());
    add(", optimization ", conditions.optimization);
    add(", ", counted(conditions.threads, "thread"));
    if (conditions.device != "cpu")
        add(", device ", conditions.device);
    if (const auto &device = conditions.accelerator) {
        add(": ", device->name);
        add(", ", device->clock > 0 ? print::withUnit(device->clock, "Hz") : "");
        add(", driver ", device->driver);
    }
    add("; ", conditions.time);
    return text.empty() ? text : "on " + sanitized(text) + "\n";
}

} // namespace

std::string timingJson(const TimedFunction &function)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.profile/1");
    writeModel(out, function);
    writeInputs(out, function.timing.inputs);
    out.key("device");
    out.beginObject();
    out.member("name", function.timing.conditions.device);
    out.endObject();
    out.key("machine");
    out.raw(protocol::print(function.timing.conditions).dump());
    writeSpread(out, "whole_ms", function.timing.whole);
    writeSpread(out, "instrumented_ms", function.timing.instrumented);
    writeSpread(out, "in_nodes_ms", function.timing.inNodes);
    writeSpread(out, "between_ms", function.timing.between);
    writeSeconds(out, "sum_ms", function.timing.sum());
    writeSeconds(out, "sum_of_medians_ms", function.timing.sumOfMedians());
    writeBytes(out, "process_peak_bytes", function.timing.peakBytes);
    writeBytes(out, "measured_peak_activation_bytes", function.timing.peakActivation);
    out.key("peak_activation_bytes");
    print::writeDim(out, function.analysis.totals.peakBytes);
    out.key("nodes");
    out.beginArray();
    const TimedCosts costs(function);
    const PredictedMemory predicted(function);
    for (const TimedNodes &timed : function.timing.nodes)
        writeNode(out, function, costs, predicted, timed);
    out.endArray();
    out.endObject();
    return out.take();
}

std::string timingText(const TimedFunction &function)
{
    constexpr std::size_t shown = 30;
    using enum print::TextTable::Align;
    const double sum = function.timing.sumOfMedians().value_or(0);
    const auto nodes = slowestFirst(function.timing);
    const TimedCosts costs(function);
    print::TextTable table({{Right}, {Right}, {Left, 60}, {Left, 40}, {Right}});
    table.addRow({"time", "share", "node", "operator", "FLOP/s"});
    for (std::size_t i = 0; i < std::min(shown, nodes.size()); ++i) {
        const TimingRow row = timingRow(function, costs, *nodes[i]);
        const double seconds = nodes[i]->measured.time.median;
        const auto flops = ops::number(row.flops);
        table.addRow(
            {print::secondsText(seconds), sum > 0 ? print::percentText(seconds / sum) : "", sanitized(row.name), row.op,
             flops && *flops > 0 && seconds > 0 ? print::withUnit(static_cast<double>(*flops) / seconds, "FLOP/s")
                                                : ""});
    }
    std::string text = nodes.empty() ? "" : table.print(0);
    if (nodes.size() > shown)
        text += formatted("and {} more\n", nodes.size() - shown);
    return text
        + print::fitted(formatted("a run takes {}\n", spreadText(function.timing.whole)) + accountText(function.timing)
                        + memoryText(function) + conditionsText(function.timing.conditions));
}

std::string timingCsv(const TimedFunction &function)
{
    std::string text = print::csvRow(std::array<std::string, 9>{"ids", "name", "op", "backend_op", "median_ms", "p5_ms",
                                                                "p95_ms", "flops", "bytes"});
    const TimedCosts costs(function);
    for (const TimedNodes &timed : function.timing.nodes) {
        const TimingRow row = timingRow(function, costs, timed);
        const protocol::Spread &time = timed.measured.time;
        std::string ids;
        for (const ir::NodeId node : timed.nodes)
            ids += (ids.empty() ? "" : " ") + std::to_string(node.index);
        const auto figure = [](const ir::Dim &dim) { return ops::isKnown(dim) ? ir::print(dim) : std::string(); };
        text += print::csvRow(std::array<std::string, 9>{
            ids, row.name, row.op, timed.measured.op, formatted("{}", time.median * inMilliseconds),
            formatted("{}", time.p5 * inMilliseconds), formatted("{}", time.p95 * inMilliseconds), figure(row.flops),
            figure(row.bytes)});
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
    const TimedCosts costs(function);
    for (const TimedNodes &timed : function.timing.nodes) {
        out.beginObject();
        out.member("name", timingRow(function, costs, timed).name);
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
