// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/cost_sections.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/report/cells.h"
#include "core/report/plots.h"
#include "core/report/timing/roofline_report.h"
#include "core/report/timing/sweep_report.h"

#include <algorithm>
#include <functional>

namespace cutaway::report {

namespace {

using enum Column::Kind;
using Row = std::vector<Cell>;

/// The limit of rows in a table, beyond which browsers are slow.
constexpr std::size_t maxRows = 2000;
constexpr std::size_t topRows = 10;

void addRow(Table &table, Row row)
{
    table.rows.size() < maxRows ? table.rows.push_back(std::move(row)) : void(++table.leftOut);
}

void noteExample(Section &section, const Material &material, const char *what)
{
    if (!material.example.note.empty())
        section.notes.push_back(std::string(what) + " for " + material.example.note + ".");
}

Column flops() { return {"FLOPs", Number, "FLOP"}; }
Column bytes() { return {"moved", Number, "bytes"}; }

// ---------------------------------------------------------------- top nodes

using Weight = std::function<std::optional<double>(const NodeRow &)>;

/// Returns the heaviest nodes of the body; nodes of weight 0 are left out.
std::vector<const NodeRow *> heaviest(const Material &material, const Weight &weight)
{
    std::vector<std::pair<double, const NodeRow *>> nodes;
    for (const NodeRow &node : material.tables.nodes)
        if (const auto w = node.within ? std::nullopt : weight(node); w && *w > 0)
            nodes.emplace_back(*w, &node);
    std::ranges::stable_sort(nodes, std::greater{}, &std::pair<double, const NodeRow *>::first);
    std::vector<const NodeRow *> top;
    for (std::size_t i = 0; i < nodes.size() && i < topRows; ++i)
        top.push_back(nodes[i].second);
    return top;
}

double sumOf(const Material &material, const Weight &weight)
{
    double sum = 0;
    for (const NodeRow &node : material.tables.nodes)
        sum += node.within ? 0 : weight(node).value_or(0);
    return sum;
}

/// Returns a table of the heaviest nodes, with a figure of each and the figure's share of the total.
Table topTable(const Material &material, const char *title, Column figure, const Weight &weight,
               const std::function<Cell(const NodeRow &)> &cell)
{
    Table table{
        title, {{"node", Name}, {"operator", Name}, {"module", Name}, std::move(figure), {"share", Number}}, {}};
    const double all = sumOf(material, weight);
    for (const NodeRow *node : heaviest(material, weight)) {
        const double share = *weight(*node) / all;
        addRow(table, {{node->name}, {node->op}, {node->scope}, cell(*node), {print::percentText(share), "", share}});
    }
    return table;
}

void addUnlessEmpty(Section &section, Table table)
{
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
}

// ---------------------------------------------------------------- memory

/// Returns a row about a live storage: its value, the operator that made the value or "input", the bytes, and the first
/// and the last step at which the storage is alive.
Row aliveRow(const Material &material, const analysis::LiveStorage &storage)
{
    const ir::ValueRef value(material.graph(), storage.value);
    const auto maker = value.producer();
    return {{sanitized(nameOf(value))},
            {maker ? sanitized(maker->fullName()) : "input"},
            bytesCell(storage.bytes, material.example),
            {std::to_string(storage.first) + " to " + std::to_string(storage.last), "",
             static_cast<double>(storage.first)}};
}

std::vector<double> aliveNumbers(const Material &material)
{
    std::vector<double> numbers;
    for (const ir::Dim &bytes : material.analysis.memory.alive) {
        const auto n = material.example.of(bytes);
        if (!n)
            return {};
        numbers.push_back(*n);
    }
    return numbers;
}

/// Returns the step of the peak: the step with the most bytes in `alive`, the live bytes at the example's sizes; if
/// `alive` is empty, the step that the analysis found.
std::optional<std::size_t> peakStep(const Material &material, const std::vector<double> &alive)
{
    if (alive.empty())
        return material.analysis.memory.peakStep;
    return static_cast<std::size_t>(std::ranges::max_element(alive) - alive.begin());
}

std::string stepText(const Material &material, std::size_t step)
{
    const auto &nodes = material.graph().at(ir::Graph::body).nodes;
    if (step == 0)
        return "at the start";
    if (step > nodes.size())
        return "at the end";
    return "at step " + grouped(static_cast<long long>(step)) + ", "
        + sanitized(ir::nameOf({material.graph(), nodes[step - 1]}));
}

Table aliveTable(const Material &material, std::size_t step)
{
    Table table{"Tensors alive at the peak",
                {{"value", Name}, {"made by", Name}, {"memory", Number, "bytes"}, {"steps", Number}},
                {}};
    for (const analysis::LiveStorage *storage : material.analysis.memory.aliveAt(step))
        addRow(table, aliveRow(material, *storage));
    std::ranges::stable_sort(table.rows, std::greater{}, [](const Row &row) { return row[2].order.value_or(0); });
    return table;
}

Cell boundCell(const std::optional<analysis::Attainable> &time)
{
    return {time ? std::string(name(time->bound)) : "?"};
}

} // namespace

Section moduleSection(const Material &material)
{
    Section section{"modules", "Modules"};
    Table table{"",
                {{"module", Name},
                 {"class", Name},
                 {"nodes", Number},
                 {"parameters", Number},
                 {"their size", Number},
                 flops(),
                 bytes()},
                {}};
    if (material.estimate)
        table.columns.push_back({"time", Number});
    table.briefRows = 60;
    if (!std::ranges::all_of(material.tables.modules, &std::string::empty, &ModuleRow::found))
        section.notes.emplace_back(
            "What is \"found\" the file does not group: few values go in and out, it repeats, or it "
            "computes at one resolution.");
    for (const ModuleRow &module : material.tables.modules) {
        const std::string className =
            module.found.empty() ? module.className.substr(module.className.rfind('.') + 1) : "found";
        Row row{{module.name, module.path, std::nullopt, module.depth},
                {className},
                countCell(module.nodes),
                largeCountCell(module.parameters),
                module.parameters == 0 ? Cell{"", "", 0.0} : bytesCell(module.parameterBytes, material.example),
                flopCell(module.sum, material.example),
                bytesCell(module.sum, material.example)};
        if (material.estimate)
            row.push_back(secondsCell(module.sum));
        addRow(table, std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section topSection(const Material &material)
{
    Section section{"top", "Costliest nodes"};
    noteExample(section, material, "Ordered, and the shares worked out,");
    if (const CostSum &all = material.tables.modules.front().sum; all.uncounted > 0 || all.unmoved > 0)
        section.notes.emplace_back("Shares are relative to what is known.");
    const request::ExampleSizes &example = material.example;
    const auto flopsOf = [&](const NodeRow &node) { return example.of(node.atLeast.flops); };
    const auto movedBy = [&](const NodeRow &node) { return example.of(bytesMoved(node.atLeast)); };
    const auto timeOf = [](const NodeRow &node) {
        return node.time ? std::optional(node.time->seconds) : std::nullopt;
    };
    addUnlessEmpty(section, topTable(material, "By FLOPs", flops(), flopsOf, [&](const NodeRow &node) {
                       return flopCell(node.cost.flops, example, node.atLeast.flops);
                   }));
    addUnlessEmpty(section, topTable(material, "By memory traffic", bytes(), movedBy, [&](const NodeRow &node) {
                       return bytesCell(bytesMoved(node.cost), example, bytesMoved(node.atLeast));
                   }));
    // A ranking in which nodes are missing would be wrong.
    if (material.estimate && material.estimate->unknown == 0)
        addUnlessEmpty(section, topTable(material, "By time", {"time", Number}, timeOf, [&](const NodeRow &node) {
                           return secondsCell(timeOf(node));
                       }));
    return section;
}

Section operatorSection(const Material &material)
{
    Section section{"operators", "Operators"};
    Table table{"", {{"operator", Name}, {"category"}, {"nodes", Number}, flops(), {"other", Number}, bytes()}, {}};
    if (material.estimate)
        table.columns.push_back({"time", Number});
    table.briefRows = 40;
    bool hasInner = false;
    for (const OperatorRow &op : material.tables.operators) {
        hasInner |= op.inBody < op.count;
        const bool isInside = op.inBody == 0;
        Row row{{op.op},
                {std::string(ops::name(op.category))},
                countCell(op.count),
                isInside ? Cell{"inside"} : flopCell(op.sum, material.example),
                isInside ? Cell{"inside"} : otherFlopCell(op.sum, material.example),
                isInside ? Cell{"inside"} : bytesCell(op.sum, material.example)};
        if (material.estimate)
            row.push_back(isInside ? Cell{"inside"} : secondsCell(op.sum));
        addRow(table, std::move(row));
    }
    if (hasInner)
        section.notes.emplace_back("The cost of a branch or loop includes what runs inside it.");
    section.tables.push_back(std::move(table));
    return section;
}

Section memorySection(const Material &material)
{
    Section section{"memory", "Live memory"};
    const std::vector<double> alive = aliveNumbers(material);
    const auto step = peakStep(material, alive);
    const ir::Dim &peak = material.analysis.memory.peak;
    const std::string bytes = print::bytesText(peak, material.analysis.memory.peakAtLeast);
    section.notes.push_back("Peak: " + (bytes == "?" ? "not known" : bytes)
                            + (ops::number(peak) ? " (" + print::exactText(peak) + " bytes)" : "")
                            + (step ? ", " + stepText(material, *step) : "")
                            + ". Weights are not included; views take no memory.");
    noteExample(section, material, "The step of the peak and the picture are");
    if (Plot plot = memoryPlot(alive, step); !plot.svg.empty())
        section.plots.push_back(std::move(plot));
    if (step)
        section.tables.push_back(aliveTable(material, *step));
    return section;
}

Section rooflineSection(const Material &material)
{
    const analysis::Device &device = *material.subject.additions.device;
    const analysis::Roofline &estimate = *material.estimate;
    Section section{"roofline", "Time on " + sanitized(device.name)};
    section.notes.emplace_back("Lower bound from the processor's peak rate and memory bandwidth (roofline); caches, "
                               "fusion and kernel launches are not modelled.");
    if (estimate.unknown > 0)
        section.notes.push_back(quantity(estimate.unknown, "node") + (estimate.unknown == 1 ? " has" : " have")
                                + " no time: " + sanitized(estimate.reason) + ".");
    if (!material.example.note.empty())
        section.notes.emplace_back("Sizes that are symbols get values by --bind or --input.");
    else if (Plot plot = rooflinePlot(material.tables.nodes, device); !plot.svg.empty())
        section.plots.push_back(std::move(plot));
    Table table{"", {{"figure"}, {"value", Number}}, {}};
    table.rows = {
        {{"time of all nodes (lower bound)"},
         secondsCell(estimate.seconds > 0 || estimate.unknown == 0 ? std::optional(estimate.seconds) : std::nullopt)},
        {{"memory"}, {byteCount(device.memory), "", device.memory}},
        {{"memory needed"},
         estimate.neededBytes ? Cell{byteCount(*estimate.neededBytes) + (estimate.fits ? ", fits" : ", too much")}
                              : Cell{"?"}},
        {{"bandwidth"}, {print::withUnit(device.bandwidth, "B/s"), "", device.bandwidth}}};
    for (const auto &[dtype, peak] : device.peaks)
        table.rows.push_back(
            {{"peak of " + std::string(ir::name(dtype))}, {print::withUnit(peak, "FLOP/s"), "", peak}});
    section.tables.push_back(std::move(table));
    section.notes.push_back("Source of the figures: " + sanitized(device.source) + ".");
    return section;
}

Section sweepSection(const Material &material)
{
    const analysis::Sweep &sweep = *material.subject.additions.sweep;
    Section section{"sweep", "Costs against " + sanitized(sweep.symbol)};
    for (const std::string &symbol : unboundSymbols(sweep))
        section.notes.push_back("The symbol " + sanitized(symbol) + " has no value; --bind gives it one.");
    section.plots = sweepPlots(sweep);
    const request::ExampleSizes &example = material.example;
    Table table{
        "",
        {{sanitized(sweep.symbol), Number}, flops(), {"other", Number}, bytes(), {"peak memory", Number, "bytes"}},
        {}};
    if (material.estimate)
        table.columns.push_back({"time (lower bound)", Number});
    for (const analysis::SweepPoint &point : sweep.points) {
        Row row{countCell(point.value), flopCell(point.cost.flops, example, point.atLeast.flops),
                flopCell(point.cost.otherFlops, example, point.atLeast.otherFlops),
                bytesCell(bytesMoved(point.cost), example, bytesMoved(point.atLeast)),
                bytesCell(point.peakBytes, example, point.peakAtLeast)};
        if (material.estimate)
            row.push_back(secondsCell(point.seconds));
        addRow(table, std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section nodeSection(const Material &material)
{
    Section section{"nodes", "All nodes"};
    Table table{"",
                {{"id", Number},
                 {"node", Name},
                 {"operator", Name},
                 {"module", Name},
                 {"result", Name},
                 flops(),
                 {"other", Number},
                 bytes()},
                {}};
    if (material.estimate)
        table.columns.insert(table.columns.end(), {{"time", Number}, {"bound by"}});
    table.briefRows = 0;
    for (const NodeRow &node : material.tables.nodes) {
        Row row{countCell(node.id.index),
                {node.name, node.source},
                {node.op},
                {node.scope},
                {shortened(node.result, 60), node.result},
                flopCell(node.cost.flops, material.example, node.atLeast.flops),
                flopCell(node.cost.otherFlops, material.example, node.atLeast.otherFlops),
                bytesCell(bytesMoved(node.cost), material.example, bytesMoved(node.atLeast))};
        if (material.estimate)
            row.insert(
                row.end(),
                {secondsCell(node.time ? std::optional(node.time->seconds) : std::nullopt), boundCell(node.time)});
        addRow(table, std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

} // namespace cutaway::report
