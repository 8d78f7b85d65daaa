// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/analysed.h"

#include "app/python/graph.h"
#include "app/python/objects.h"
#include "app/python/work.h"
#include "core/analysis/bounded_cost.h"
#include "core/analysis/counts.h"
#include "core/base/result.h"
#include "core/ir/names.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/report/cost_tables.h"
#include "core/report/timing/roofline_report.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

/// An analysis of a function, with the tables of its costs.
struct AnalysisHandle {
    SharedFunction state;
    analysis::Counts counts;
    std::optional<analysis::Device> device;
    std::optional<analysis::Roofline> estimate;
    report::CostTables tables;

    const analysis::Analysis &analysis() const { return *state->analysis; }
};

Result<AnalysisHandle> analyse(const SharedModel &model, const RequestTexts &texts, const std::string &deviceId,
                               const Task &task)
{
    CUTAWAY_TRY(auto device, deviceOf(deviceId));
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(auto prepared, prepare(model, texts));
    const SharedModel given = model.with(std::move(prepared.model));
    auto derived = std::make_shared<const analysis::Analysis>(
        analysis::analyse(*given, prepared.function, prepared.given.withoutTensors(), task));
    if (task.stopRequested())
        return cancelled();
    AnalysisHandle handle{analysedFunction(given, derived), analysis::countTensors(*given), std::move(device), {}, {}};
    if (handle.device)
        handle.estimate = roofline(*given, *derived, *handle.device, static_cast<double>(handle.counts.storageBytes));
    handle.tables = report::costTables(*given, *derived, handle.estimate ? &*handle.estimate : nullptr);
    return handle;
}

// ---------------------------------------------------------------- rows

nb::object textOrNone(std::string_view text)
{
    const auto shown = readableOrNone(text);
    return shown ? nb::object(nb::str(shown->data(), shown->size())) : nb::none();
}

void addCost(nb::dict &row, const ops::Cost &cost)
{
    row["flops"] = objectOf(cost.flops);
    row["other_flops"] = objectOf(cost.otherFlops);
    row["bytes_read"] = objectOf(cost.bytesRead);
    row["bytes_written"] = objectOf(cost.bytesWritten);
}

nb::object shown(const std::string &text) { return nb::str(text.data(), text.size()); }

nb::dict nodeRow(const report::NodeRow &node)
{
    nb::dict row;
    row["id"] = node.id.index;
    row["name"] = shown(node.name);
    row["op"] = shown(node.op);
    row["category"] = shown(std::string(ops::name(node.category)));
    row["scope"] = shown(node.scope);
    row["within"] = node.within ? nb::object(nb::int_(node.within->index)) : nb::none();
    row["result"] = textOrNone(node.result);
    addCost(row, node.cost);
    row["seconds"] = node.time ? nb::object(nb::float_(node.time->seconds)) : nb::none();
    row["bound"] = node.time ? shown(std::string(report::name(node.time->bound))) : nb::none();
    row["intensity"] = node.time ? nb::object(nb::float_(node.time->intensity)) : nb::none();
    row["source"] = textOrNone(node.source);
    return row;
}

nb::list nodeRows(const AnalysisHandle &handle)
{
    nb::list rows;
    for (const report::NodeRow &node : handle.tables.nodes)
        rows.append(nodeRow(node));
    return rows;
}

void addSum(nb::dict &row, const AnalysisHandle &handle, const report::CostSum &sum)
{
    addCost(row, sum.cost);
    row["unknown_cost_nodes"] = sum.uncounted;
    row["seconds"] = handle.estimate && sum.untimed == 0 ? nb::object(nb::float_(sum.seconds)) : nb::none();
}

nb::list operatorRows(const AnalysisHandle &handle)
{
    nb::list rows;
    for (const report::OperatorRow &each : handle.tables.operators) {
        nb::dict row;
        row["op"] = shown(each.op);
        row["category"] = shown(std::string(ops::name(each.category)));
        row["count"] = each.count;
        addSum(row, handle, each.sum);
        rows.append(row);
    }
    return rows;
}

nb::list moduleRows(const AnalysisHandle &handle)
{
    nb::list rows;
    for (const report::ModuleRow &each : handle.tables.modules) {
        nb::dict row;
        row["depth"] = each.depth;
        row["path"] = shown(each.path);
        row["class"] = textOrNone(each.className);
        row["found"] = textOrNone(each.found);
        row["nodes"] = each.nodes;
        row["parameters"] = each.parameters;
        row["parameter_bytes"] = each.parameterBytes;
        addSum(row, handle, each.sum);
        rows.append(row);
    }
    return rows;
}

// ---------------------------------------------------------------- totals

/// Returns lower bounds for the figures that are unknown.
nb::dict lowerBounds(const analysis::Totals &totals)
{
    nb::dict bounds;
    for (const auto &[key, figure, atLeast] :
         {std::tuple<const char *, const ir::Dim &, const ir::Dim &>{"flops", totals.cost.flops, totals.atLeast.flops},
          {"other_flops", totals.cost.otherFlops, totals.atLeast.otherFlops},
          {"bytes_read", totals.cost.bytesRead, totals.atLeast.bytesRead},
          {"bytes_written", totals.cost.bytesWritten, totals.atLeast.bytesWritten},
          {"peak_activation_bytes", totals.peakBytes, totals.peakAtLeast}})
        if (!ops::isKnown(figure))
            bounds[key] = objectOf(atLeast);
    return bounds;
}

void addTimes(nb::dict &row, const AnalysisHandle &handle)
{
    if (!handle.estimate)
        return;
    const analysis::Roofline &estimate = *handle.estimate;
    row["seconds"] = estimate.seconds;
    row["unknown_time_nodes"] = estimate.unknown;
    row["needed_bytes"] = estimate.neededBytes ? nb::object(nb::float_(*estimate.neededBytes)) : nb::none();
    row["fits"] = estimate.neededBytes ? nb::object(nb::bool_(estimate.fits)) : nb::none();
}

nb::dict totalsRow(const AnalysisHandle &handle)
{
    const analysis::Totals &totals = handle.analysis().totals;
    nb::dict row;
    row["nodes"] = totals.nodes;
    addCost(row, totals.cost);
    row["unknown_flops_nodes"] = totals.flopsUnknown;
    row["unknown_cost_nodes"] = totals.costUnknown;
    row["unknown_shape_values"] = totals.shapesUnknown;
    row["recorded_shape_values"] = totals.shapesRecorded;
    row["parameter_bytes"] = handle.counts.parameters.bytes;
    row["storage_bytes"] = handle.counts.storageBytes;
    row["peak_activation_bytes"] = objectOf(totals.peakBytes);
    if (const nb::dict bounds = lowerBounds(totals); nb::len(bounds) > 0)
        row["at_least"] = bounds;
    addTimes(row, handle);
    return row;
}

nb::list diagnosticRows(const AnalysisHandle &handle)
{
    nb::list rows;
    for (const ir::Diagnostic &each : analysis::findings(handle.analysis())) {
        nb::dict row;
        row["severity"] = shown(std::string(ir::name(each.severity)));
        row["code"] = shown(each.code);
        row["message"] = shown(readable(each.message));
        row["node"] = each.node ? nb::object(nb::int_(each.node->index)) : nb::none();
        rows.append(row);
    }
    return rows;
}

nb::dict boundSymbols(const AnalysisHandle &handle)
{
    nb::dict bound;
    for (const auto &[symbol, value] : handle.analysis().given.bindings)
        bound[shown(symbol)] = value;
    return bound;
}

} // namespace

void bindAnalysis(nb::module_ &module)
{
    nb::class_<AnalysisHandle>(
        module, "Analysis",
        "What is derived of a function before it runs: shapes, costs, memory.\n\n"
        "Costs are of one execution: flops counts what torch.utils.flop_counter counts (a multiply-add is two),\n"
        "other_flops everything else, both in FLOP; bytes_read and bytes_written are bytes. A figure is an int, a\n"
        "formula over size symbols as str, or None where it is not known.")
        .def(
            "to_dicts", nodeRows, nb::sig("def to_dicts(self) -> list[dict[str, typing.Any]]"),
            "A row per node, those of regions after the node that owns them (its id is 'within'); pandas.DataFrame\n"
            "takes them as they are. 'seconds' is a lower bound of the time on the device, 'bound' what it is limited\n"
            "by, 'intensity' is FLOP per byte; all three are None without a device.")
        .def("operators", operatorRows, nb::sig("def operators(self) -> list[dict[str, typing.Any]]"),
             "A row per operator, the most frequent first, with the sums over its nodes.")
        .def("modules", moduleRows, nb::sig("def modules(self) -> list[dict[str, typing.Any]]"),
             "A row per call of a module, with the sums over everything inside; the first is the whole function.")
        .def_prop_ro(
            "totals", totalsRow, nb::sig("def totals(self) -> dict[str, typing.Any]"),
            "Sums over one execution; peak_activation_bytes are the most bytes of activations that live at\n"
            "once. 'at_least': lower bounds of figures that are not known. With a device also 'seconds', which\n"
            "leaves out 'unknown_time_nodes', 'needed_bytes' and whether these fit.")
        .def_prop_ro("diagnostics", diagnosticRows, nb::sig("def diagnostics(self) -> list[dict[str, typing.Any]]"),
                     "What is wrong or not known, and why.")
        .def_prop_ro("bindings", boundSymbols, nb::sig("def bindings(self) -> dict[str, int]"),
                     "The size symbols that have a value.")
        .def_prop_ro("device",
                     [](const AnalysisHandle &handle) {
                         return handle.device ? std::optional(handle.device->id) : std::nullopt;
                     })
        .def_prop_ro(
            "graph", [](const AnalysisHandle &handle) { return GraphHandle{handle.state, ir::Graph::body}; },
            "The function's graph, whose values have the derived dtypes and shapes.")
        .def("__repr__", [](const AnalysisHandle &handle) {
            return "<Analysis of " + readable(handle.state->graph().context().text(handle.state->function().name))
                + ": " + std::to_string(handle.analysis().totals.nodes) + " nodes>";
        });
}

nb::object analysed(const SharedModel &model, const RequestTexts &texts, const std::string &device)
{
    auto handle = performed([&](const Task &task) { return analyse(model, texts, device, task); });
    return nb::cast(valueOrRaise(std::move(handle), model.file));
}

} // namespace cutaway::python
