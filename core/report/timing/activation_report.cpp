// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/activation_report.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/tensors/sizes.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"

#include <algorithm>
#include <cmath>

namespace cutaway::report {

namespace {

using run::Activation;
using run::NotFinite;
using tensor::Statistics;

std::string figureText(double x) { return std::isnan(x) ? "" : formatted("{:.5g}", x); }
std::string countText(std::uint64_t n) { return n > 0 ? std::to_string(n) : ""; }

const ir::Graph &graphOf(const RunStatistics &run) { return run.model.at(run.function).graph; }

std::string typeText(const Activation &activation)
{
    return std::string(ir::name(activation.dtype)) + ir::printSizes(activation.shape);
}

std::string zeroShare(const Statistics &statistics)
{
    if (statistics.zeros == 0)
        return {};
    return formatted("{:.3g}%", 100.0 * static_cast<double>(statistics.zeros) / static_cast<double>(statistics.count));
}

std::vector<std::string> rowOf(const ir::ValueRef &value, const Activation &activation)
{
    const Statistics &statistics = activation.statistics;
    const auto producer = value.producer();
    return {sanitized(ir::nameOf(value)),
            producer ? producer->fullName() : "input",
            typeText(activation),
            figureText(statistics.min),
            figureText(statistics.max),
            figureText(statistics.mean),
            figureText(statistics.deviation()),
            zeroShare(statistics),
            countText(statistics.nans),
            countText(activation.infinities())};
}

const NotFinite *firstOf(const RunStatistics &run, NotFinite::Kind kind)
{
    const auto found = std::ranges::find(run.notFinite, kind, &NotFinite::kind);
    return found == run.notFinite.end() ? nullptr : &*found;
}

std::string lineOf(const RunStatistics &run, NotFinite::Kind kind)
{
    const NotFinite *first = firstOf(run, kind);
    if (!first)
        return {};
    const ir::NodeRef node(graphOf(run), first->node);
    const ir::ValueRef value(graphOf(run), first->value);
    const Activation &activation = *run.activations.of(first->value);
    const auto all = std::ranges::count(run.notFinite, kind, &NotFinite::kind);
    return formatted(
        "first {}: {} makes {} of the {} {} numbers of '{}'{}{}", kind == NotFinite::Kind::NaN ? "NaN" : "infinity",
        node.fullName(), first->count, activation.statistics.count, ir::name(activation.dtype),
        sanitized(ir::nameOf(value)),
        std::isnan(first->largestRead) ? "" : formatted(", from numbers up to {:.5g} in magnitude", first->largestRead),
        all > 1 ? formatted("; {} more {}", all - 1, all > 2 ? "nodes make some" : "node makes some") : "");
}

void writeNotFinite(JsonWriter &out, std::string_view key, const RunStatistics &run, NotFinite::Kind kind)
{
    out.key(key);
    const NotFinite *first = firstOf(run, kind);
    if (!first)
        return out.null();
    out.beginObject();
    out.member("node", std::uint64_t{first->node.index});
    out.member("name", ir::nameOf(ir::NodeRef(graphOf(run), first->node)));
    out.member("op", ir::NodeRef(graphOf(run), first->node).fullName());
    out.member("value", ir::nameOf(ir::ValueRef(graphOf(run), first->value)));
    out.member("count", first->count);
    out.member("largest_read", first->largestRead);
    out.endObject();
}

void writeValue(JsonWriter &out, const ir::ValueRef &value, const Activation &activation)
{
    const Statistics &statistics = activation.statistics;
    out.beginObject();
    out.member("name", ir::nameOf(value));
    out.key("node");
    if (const auto producer = value.producer())
        out.value(std::uint64_t{producer->id().index});
    else
        out.null();
    out.member("dtype", ir::name(activation.dtype));
    out.key("shape");
    out.beginArray();
    for (const std::int64_t size : activation.shape)
        out.value(size);
    out.endArray();
    out.member("count", statistics.count);
    const auto figure = [&](std::string_view key, double x) {
        out.key(key);
        if (statistics.finite > 0)
            out.value(x);
        else
            out.null();
    };
    figure("min", statistics.min);
    figure("max", statistics.max);
    figure("mean", statistics.mean);
    figure("std", statistics.deviation());
    out.member("zeros", statistics.zeros);
    out.member("nan", statistics.nans);
    out.member("inf", statistics.positiveInfinities);
    out.member("minus_inf", statistics.negativeInfinities);
    out.endObject();
}

} // namespace

std::vector<std::string> notFiniteLines(const RunStatistics &run)
{
    std::vector<std::string> lines{lineOf(run, NotFinite::Kind::NaN), lineOf(run, NotFinite::Kind::Infinity)};
    std::erase(lines, "");
    return lines;
}

std::string statisticsText(const RunStatistics &run)
{
    using enum print::TextTable::Align;
    using Column = print::TextTable::Column;
    print::TextTable table(
        {Column{}, Column{}, Column{}, Column{Right}, Column{Right}, Column{Right}, Column{Right}, Column{Right},
         Column{Right}, Column{Right}},
        print::TextTable::Lines::Whole); // rows are not shortened, since truncated numbers would be misleading
    table.addRow({"value", "of", "type", "min", "max", "mean", "std", "zeros", "nan", "inf"});
    for (const ir::ValueId value : run::inOrder(graphOf(run), run.activations))
        table.addRow(rowOf(ir::ValueRef(graphOf(run), value), *run.activations.of(value)));
    std::string text = table.print(0);
    for (const std::string &line : notFiniteLines(run))
        text += print::fitted(line) + "\n";
    if (run.notFinite.empty())
        text += "no node makes a NaN or an infinity\n";
    const run::Outcome &outcome = run.activations.outcome;
    return text + outcome.backend + ", " + print::secondsText(outcome.seconds) + "\n";
}

std::string statisticsCsv(const RunStatistics &run)
{
    return columnsCsv(graphOf(run), run::columnsOf(run.model.at(run.function), run.activations));
}

std::string columnsCsv(const ir::Graph &graph, std::span<const node_data::Column> columns)
{
    std::vector<std::string> head{"node"};
    std::ranges::transform(columns, std::back_inserter(head), &node_data::Column::name);
    std::string text = print::csvRow(head);
    const std::vector<std::string> names = node_data::tableNames(graph);
    for (std::size_t node = 0; node < names.size(); ++node) {
        std::vector<std::string> row{names[node]};
        for (const node_data::Column &column : columns)
            row.push_back(node_data::print(column.cells[node]));
        if (std::ranges::any_of(row.begin() + 1, row.end(), [](const std::string &cell) { return !cell.empty(); }))
            text += print::csvRow(row);
    }
    return text;
}

void writeActivations(JsonWriter &out, const RunStatistics &run)
{
    out.key("values");
    out.beginArray();
    for (const ir::ValueId value : run::inOrder(graphOf(run), run.activations))
        writeValue(out, ir::ValueRef(graphOf(run), value), *run.activations.of(value));
    out.endArray();
    writeNotFinite(out, "first_nan", run, NotFinite::Kind::NaN);
    writeNotFinite(out, "first_infinity", run, NotFinite::Kind::Infinity);
}

} // namespace cutaway::report
