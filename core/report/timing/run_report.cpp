// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/run_report.h"

#include "core/base/digests/sha256.h"
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/ir/tensors/sizes.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/timing/activation_report.h"
#include "core/tensor/numbers.h"
#include "core/tensor/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cutaway::report {

namespace {

using run::Compared;
using run::Output;
using TextColumn = print::TextTable::Column;

constexpr std::size_t elementsInJson = 16, elementsInText = 5;

std::string number(double x) { return formatted("{:.6g}", x); }

void writeStatistics(JsonWriter &out, const protocol::Tensor &tensor)
{
    const auto found = tensor::statisticsOf(tensor);
    const auto member = [&](std::string_view key, double tensor::Statistics::*figure) {
        out.key(key);
        if (found && found->finite > 0)
            out.value((*found).*figure);
        else
            out.null();
    };
    member("min", &tensor::Statistics::min);
    member("max", &tensor::Statistics::max);
    member("mean", &tensor::Statistics::mean);
    out.member("not_finite", found ? found->notFinite() : 0);
}

void writeTensor(JsonWriter &out, const protocol::Tensor &tensor)
{
    out.member("dtype", ir::name(tensor.dtype));
    out.key("shape");
    out.beginArray();
    for (const std::int64_t size : tensor.shape)
        out.value(size);
    out.endArray();
    writeStatistics(out, tensor);
    out.key("first");
    out.beginArray();
    for (const std::string &element : tensor::firstElements(tensor, elementsInJson))
        out.value(element);
    out.endArray();
    out.member("sha256", sha256(tensor.bytes));
}

void writeOutput(JsonWriter &out, const Output &output)
{
    out.beginObject();
    out.member("name", output.name);
    if (const auto *tensor = std::get_if<protocol::Tensor>(&output.content))
        writeTensor(out, *tensor);
    else
        out.member("type", std::get<run::Opaque>(output.content).what);
    out.endObject();
}

std::vector<std::string> outputRow(const Output &output)
{
    const std::string name = sanitized(output.name);
    const auto *tensor = std::get_if<protocol::Tensor>(&output.content);
    if (!tensor)
        return {name, std::get<run::Opaque>(output.content).what};
    const auto found = tensor::statisticsOf(*tensor);
    const auto figure = [&](double tensor::Statistics::*which) {
        return found && found->finite > 0 ? number((*found).*which) : std::string();
    };
    return {name,
            std::string(ir::name(tensor->dtype)) + ir::printSizes(tensor->shape),
            figure(&tensor::Statistics::min),
            figure(&tensor::Statistics::max),
            figure(&tensor::Statistics::mean),
            joined(tensor::firstElements(*tensor, elementsInText), ", "),
            found && found->notFinite() > 0 ? formatted("{} not finite", found->notFinite()) : ""};
}

// ---------------------------------------------------------------- comparisons

void writeCompared(JsonWriter &out, const Compared &compared)
{
    const auto name = [&](std::string_view key, const std::string &text) {
        out.key(key);
        if (text.empty())
            out.null();
        else
            out.value(text);
    };
    name("a", compared.a);
    name("b", compared.b);
    out.member("within", compared.agrees());
    if (!compared.distance) {
        for (const std::string_view key : {"max_abs", "max_rel", "cosine"}) {
            out.key(key);
            out.null();
        }
        out.member("reason", compared.reason);
        return;
    }
    out.member("max_abs", compared.distance->maxAbsolute);
    out.member("max_rel", compared.distance->maxRelative);
    out.key("cosine");
    if (std::isnan(compared.distance->cosine))
        out.null();
    else
        out.value(compared.distance->cosine);
    out.member("outside", compared.distance->outside);
    out.member("elements", compared.distance->elements);
}

void writeValue(JsonWriter &out, const ComparedValue &value)
{
    out.beginObject();
    out.member("node_a", value.nodeA);
    out.member("node_b", value.nodeB);
    writeCompared(out, value.compared);
    out.endObject();
}

std::vector<std::string> outputRow(const std::string &a, const std::string &b, const Compared &compared)
{
    const std::string name = a == b || b.empty() ? sanitized(a) : sanitized(a) + " / " + sanitized(b);
    if (!compared.distance)
        return {"?", name, compared.reason};
    const run::Distance &distance = *compared.distance;
    return {compared.agrees() ? "=" : "!",
            name,
            formatted("max abs {:.3g}", distance.maxAbsolute),
            formatted("max rel {:.3g}", distance.maxRelative),
            std::isnan(distance.cosine) ? "cosine ?" : formatted("cosine {:.9g}", distance.cosine),
            compared.agrees() ? "" : formatted("{} of {} differ", distance.outside, distance.elements)};
}

} // namespace

std::string runJson(const run::Outcome &outcome, const RunStatistics *statistics)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.run/1");
    out.member("backend", outcome.backend);
    out.member("seconds", outcome.seconds);
    out.key("outputs");
    out.beginArray();
    for (const Output &output : outcome.outputs)
        writeOutput(out, output);
    out.endArray();
    if (statistics)
        writeActivations(out, *statistics);
    out.endObject();
    return out.take();
}

std::string runText(const run::Outcome &outcome)
{
    using enum print::TextTable::Align;
    print::TextTable table({TextColumn{}, TextColumn{}, TextColumn{Right}, TextColumn{Right}, TextColumn{Right},
                            TextColumn{Left, 80}, TextColumn{}});
    table.addRow({"output", "type", "min", "max", "mean", "first elements"});
    for (const Output &output : outcome.outputs)
        table.addRow(outputRow(output));
    return table.print(0) + outcome.backend + ", " + print::secondsText(outcome.seconds) + "\n";
}

bool RunComparison::agrees() const { return !outputs.empty() && std::ranges::all_of(outputs, &Compared::agrees); }

double RunComparison::largestError() const
{
    double largest = outputs.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (const Compared &compared : outputs)
        largest = std::max(
            largest, compared.distance ? compared.distance->maxAbsolute : std::numeric_limits<double>::infinity());
    return largest;
}

const ComparedValue *RunComparison::firstDifference() const
{
    const auto found =
        std::ranges::find_if(values, [](const ComparedValue &value) { return !value.compared.agrees(); });
    return found == values.end() ? nullptr : &*found;
}

std::string comparisonJson(const RunComparison &comparison)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.compare/1");
    out.member("within", comparison.agrees());
    out.member("rtol", comparison.tolerance.rtol);
    out.member("atol", comparison.tolerance.atol);
    out.member("backend_a", comparison.backendA);
    out.member("backend_b", comparison.backendB);
    out.member("seeds", comparison.seeds);
    out.member("worst_seed", comparison.seed);
    out.key("outputs");
    out.beginArray();
    for (const Compared &compared : comparison.outputs) {
        out.beginObject();
        writeCompared(out, compared);
        out.endObject();
    }
    out.endArray();
    out.key("values");
    out.beginArray();
    for (const ComparedValue &value : comparison.values)
        writeValue(out, value);
    out.endArray();
    out.key("first_difference");
    if (const ComparedValue *first = comparison.firstDifference())
        writeValue(out, *first);
    else
        out.null();
    out.endObject();
    return out.take();
}

std::string comparisonCsv(const RunComparison &comparison)
{
    struct Row {
        std::string node;
        run::Distance worst;
    };
    std::vector<Row> rows; // the rows of one node's results follow each other
    for (const ComparedValue &value : comparison.values) {
        if (!value.compared.distance)
            continue;
        const run::Distance &distance = *value.compared.distance;
        if (rows.empty() || rows.back().node != value.inTable)
            rows.push_back({value.inTable, distance});
        else
            rows.back().worst.add(distance);
    }
    std::string text =
        print::csvRow(std::array<std::string, 4>{"node", "run.error", "run.relative_error", "run.cosine"});
    for (const Row &row : rows)
        text += print::csvRow(std::array<std::string, 4>{row.node, formatted("{}", row.worst.maxAbsolute),
                                                         formatted("{}", row.worst.maxRelative),
                                                         formatted("{}", row.worst.cosine)});
    return text;
}

std::string comparisonText(const RunComparison &comparison)
{
    print::TextTable table({TextColumn{}, TextColumn{}, TextColumn{}, TextColumn{}, TextColumn{}, TextColumn{}});
    for (const ComparedValue &value : comparison.values)
        table.addRow(outputRow(value.nodeA, value.nodeB, value.compared));
    for (const Compared &compared : comparison.outputs)
        table.addRow(outputRow(compared.a, compared.b, compared));
    std::string text = table.print(0);
    if (const ComparedValue *first = comparison.firstDifference())
        text += "first difference at " + sanitized(first->nodeA) + "\n";
    if (comparison.asksForValues && comparison.values.empty())
        text += "no result of a matched node inside can be compared\n";
    if (comparison.outputs.empty())
        return text
            + formatted("{} and {}: there are no results to compare\n", comparison.backendA, comparison.backendB);
    text += formatted("{} and {}: {} within rtol {:g}, atol {:g}\n", comparison.backendA, comparison.backendB,
                      comparison.agrees() ? "the results agree" : "the results differ", comparison.tolerance.rtol,
                      comparison.tolerance.atol);
    if (comparison.seeds > 1)
        text += formatted("of {} seeds, seed {} is the worst and shown\n", comparison.seeds, comparison.seed);
    return text;
}

} // namespace cutaway::report
