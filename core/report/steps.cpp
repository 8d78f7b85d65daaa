// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/steps.h"

#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/passes/blame.h"
#include "core/print/dim_json.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/history/patterns_json.h"
#include "core/request/example_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::report {

namespace {

using passes::Entry;
using passes::History;
using passes::Step;

void writeIds(JsonWriter &out, std::string_view key, const std::vector<ir::NodeId> &nodes)
{
    out.key(key);
    out.beginArray();
    for (const ir::NodeId node : nodes)
        out.value(std::uint64_t{node.index});
    out.endArray();
}

template <class Texts>
void writeTexts(JsonWriter &out, std::string_view key, const Texts &texts)
{
    out.key(key);
    out.beginArray();
    for (const std::string_view text : texts)
        out.value(text);
    out.endArray();
}

void writeOptions(JsonWriter &out, const passes::Settings &settings)
{
    out.key("options");
    out.beginObject();
    for (const auto &[name, value] : settings.values())
        std::visit([&, &option = name](const auto &v) { out.member(option, v); }, value);
    out.endObject();
}

void writeTotals(JsonWriter &out, const analysis::Totals &totals, std::int64_t parameterBytes)
{
    out.key("totals");
    out.beginObject();
    out.member("nodes", totals.nodes);
    out.key("flops");
    print::writeDim(out, totals.cost.flops);
    if (!ops::isKnown(totals.cost.flops)) {
        out.key("flops_at_least");
        print::writeDim(out, totals.atLeast.flops);
        out.member("unknown_flops_nodes", totals.flopsUnknown);
    }
    out.member("parameter_bytes", parameterBytes);
    out.key("peak_activation_bytes");
    print::writeDim(out, totals.peakBytes);
    out.endObject();
}

/// Returns "0", "1.2e-7", "other shapes", or why the error is not known.
std::string errorText(const Step &step)
{
    if (!step.largestError)
        return {};
    if (!*step.largestError)
        return step.largestError->error().text();
    if (!std::isfinite(**step.largestError))
        return "the results differ in shape or dtype, or a number is on one side only";
    return formatted("{:.2g}", **step.largestError);
}

void writeStep(JsonWriter &out, const History &history, std::size_t at)
{
    const Step &step = history.steps()[at];
    out.beginObject();
    out.member("pass", step.name());
    if (step.entry() && step.entry()->addedFor)
        out.member("added_for", step.entry()->addedFor->name);
    writeOptions(out, step.entry() ? step.entry()->settings : passes::Settings());
    out.member("changed", step.isChange);
    out.member("seconds", step.seconds);
    writeIds(out, "removed", step.nodes.removed);
    writeIds(out, "added", step.nodes.added);
    writeIds(out, "changed_nodes", step.nodes.changed);
    writePatterns(out, passes::patternsOf(history, at + 1));
    writeTexts(out, "remarks", step.remarks);
    // A step whose graph is invalid has failed and is not listed, so only the results decide whether a step is
    // verified.
    out.member("verified", step.isVerified());
    out.key("max_abs_error");
    if (step.largestError && *step.largestError && std::isfinite(**step.largestError))
        out.value(**step.largestError);
    else
        out.null();
    if (!step.isVerified())
        out.member("numbers", errorText(step));
    writeTotals(out, step.totals, step.parameterBytes);
    out.endObject();
}

/// Returns "Step 2, dead-code, is not verified: the results differ …".
std::string unverifiedText(const History &history, std::size_t at)
{
    const Step &step = history.steps()[at];
    return formatted("Step {}, {}, is not verified: {}.", at + 1, step.title(), errorText(step));
}

/// Returns the name of a step: "dead-code", "functionalize (for fold-batch-norm)".
std::string nameOf(const Step &step)
{
    const Entry *entry = step.entry();
    return step.title() + (entry && entry->addedFor ? " (for " + std::string(entry->addedFor->name) + ")" : "");
}

/// Returns the remarks of passes on the nodes that they left unchanged, with the reasons. If a pass has run several
/// times, only its last remarks count, as they are about the nodes that are still there in the end.
std::vector<std::string> remarksOf(const History &history)
{
    std::vector<std::string> remarks;
    std::map<std::string_view, const Step *> last;
    for (const Step &step : history.steps())
        last[step.name()] = &step;
    for (const Step &step : history.steps())
        if (last[step.name()] == &step)
            for (const std::string &remark : step.remarks)
                remarks.push_back(std::string(step.name()) + ": " + remark);
    return remarks;
}

std::string change(std::size_t count, char sign)
{
    return count == 0 ? std::string() : sign + grouped(static_cast<long long>(count));
}

/// Returns the first cells of a step's row.
std::vector<std::string> changeCells(const Step &step, std::size_t position)
{
    return {std::to_string(position + 1),         nameOf(step),
            print::secondsText(step.seconds),     change(step.nodes.removed.size(), '-'),
            change(step.nodes.added.size(), '+'), change(step.nodes.changed.size(), '~')};
}

/// Returns "57 steps changed nothing."; JSON has each of them.
std::string unchangedText(const History &history)
{
    const auto count = std::ranges::count(history.steps(), false, &Step::isChange);
    return count == 0 ? std::string() : quantity(count, "step") + " changed nothing.";
}

/// Returns the first patterns of a step in a line; "" if there are none.
std::string lineOf(const History &history, std::size_t at)
{
    return sanitized(diff::lineOf(passes::patternsOf(history, at + 1)));
}

/// Returns a line for each step that did something to the nodes.
std::string patternsText(const History &history)
{
    constexpr auto right = print::TextTable::Column{.align = print::TextTable::Align::Right};
    print::TextTable table({right, {.maxWidth = 32}, {.maxWidth = 100, .isProse = true}});
    for (std::size_t i = 0; i < history.steps().size(); ++i)
        if (std::string line = lineOf(history, i); !line.empty())
            table.addRow({std::to_string(i + 1), std::string(history.steps()[i].name()), std::move(line)});
    return table.empty() ? "" : "\n" + table.print(0);
}

/// Returns values for the free symbols in the totals of steps, since a table has no room for formulas.
request::ExampleSizes examplesFor(const History &history)
{
    std::set<std::string> symbols;
    for (std::size_t i = 0; i <= history.steps().size(); ++i)
        for (const ir::Dim &dim : {history.totalsAfter(i).cost.flops, history.totalsAfter(i).peakBytes,
                                   history.totalsAfter(i).atLeast.flops, history.totalsAfter(i).peakAtLeast})
            if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
                symbols.merge(symbolic::symbolsOf(*expr));
    const ir::Model &model = *history.modelAfter(0);
    const auto needed = symbols.empty()
        ? analysis::NeededSizes()
        : analysis::NeededSizes(model, analysis::inferShapes(model, history.function(), history.given()));
    return request::exampleSizes(model, symbols, needed);
}

std::vector<std::string> totalsCells(const History &history, std::size_t step, const request::ExampleSizes &examples)
{
    const analysis::Totals &totals = history.totalsAfter(step);
    const auto text = [&](const ir::Dim &figure, const ir::Dim &atLeast, const auto &withUnit) -> std::string {
        if (const auto number = examples.of(figure))
            return withUnit(*number);
        const auto bound = examples.of(atLeast);
        return bound && *bound > 0 ? "≥ " + withUnit(*bound) : "?";
    };
    const auto flops = [](double n) { return print::withUnit(n, "FLOP"); };
    const auto bytes = [](double n) { return byteCount(n); };
    return {grouped(totals.nodes), text(totals.cost.flops, totals.atLeast.flops, flops),
            byteCount(static_cast<double>(history.parameterBytesAfter(step))),
            text(totals.peakBytes, totals.peakAtLeast, bytes)};
}

void addRow(print::TextTable &table, std::vector<std::string> cells, const std::vector<std::string> &totals,
            std::string error = {})
{
    cells.insert(cells.end(), totals.begin(), totals.end());
    cells.push_back(std::move(error));
    table.addRow(std::move(cells));
}

std::vector<const passes::Pass *> allPasses(std::span<const passes::Pass *const> others)
{
    const auto own = passes::passes();
    std::vector<const passes::Pass *> all(own.begin(), own.end());
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

} // namespace

std::string stepsJson(const History &history)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.passes/1");
    out.key("before");
    out.beginObject();
    writeTotals(out, history.totalsAfter(0), history.parameterBytesAfter(0));
    out.endObject();
    out.key("steps");
    out.beginArray();
    for (std::size_t i = 0; i < history.steps().size(); ++i)
        writeStep(out, history, i);
    out.endArray();
    out.key("failure");
    if (const auto &failure = history.failure()) {
        out.beginObject();
        out.member("pass", failure->entry.pass->name);
        out.member("message", failure->error.text());
        out.endObject();
    } else {
        out.null();
    }
    out.endObject();
    return out.take();
}

std::string stepsText(const History &history)
{
    constexpr auto right = print::TextTable::Column{.align = print::TextTable::Align::Right};
    print::TextTable table({right, {}, right, right, right, right, right, right, right, right, {.isProse = true}});
    table.addRow({"step", "pass", "time", "removed", "added", "changed", "nodes", "flops", "parameters", "peak memory",
                  history.checksNumbers() ? "largest error" : ""});
    const request::ExampleSizes examples = examplesFor(history);
    addRow(table, {"0", "(" + history.startTitle() + ")", "", "", "", ""}, totalsCells(history, 0, examples));
    for (std::size_t i = 0; i < history.steps().size(); ++i)
        if (const Step &step = history.steps()[i]; step.isChange)
            addRow(table, changeCells(step, i), totalsCells(history, i + 1, examples), errorText(step));
    std::string text;
    if (!examples.note.empty())
        text += "\nFigures for " + examples.note + "; with --json they are formulas.\n";
    if (const std::string unchanged = unchangedText(history); !unchanged.empty())
        text += "\n" + unchanged + "\n";
    for (const std::string &remark : remarksOf(history))
        text += "\n" + remark + "\n";
    if (const auto unverified = history.firstUnverified())
        text += "\n" + unverifiedText(history, *unverified) + "\n";
    return table.print(0) + patternsText(history) + print::fitted(print::withoutBackquotes(std::move(text)));
}

Document stepsDocument(const History &history)
{
    using Kind = Column::Kind;
    const request::ExampleSizes examples = examplesFor(history);
    Table table{.columns = {{"Step", Kind::Number},
                            {"Pass", Kind::Name},
                            {"Time", Kind::Number},
                            {"Removed", Kind::Number},
                            {"Added", Kind::Number},
                            {"Changed", Kind::Number},
                            {"Nodes", Kind::Number},
                            {"FLOPs", Kind::Number},
                            {"Parameters", Kind::Number},
                            {"Peak memory", Kind::Number},
                            {"What it did", Kind::Text}},
                .rows = {},
                .briefRows = history.steps().size() + 1};
    const auto addRow = [&](std::vector<std::string> cells, std::size_t position) {
        for (std::string &total : totalsCells(history, position, examples))
            cells.push_back(std::move(total));
        cells.push_back(position == 0 ? "" : lineOf(history, position - 1));
        auto &row = table.rows.emplace_back();
        for (std::string &cell : cells)
            row.push_back({std::move(cell)});
    };
    addRow({"0", history.startTitle(), "", "", "", ""}, 0);
    Section section{.id = "steps", .title = "Steps"};
    for (std::size_t i = 0; i < history.steps().size(); ++i)
        if (const Step &step = history.steps()[i]; step.isChange)
            addRow(changeCells(step, i), i + 1);
    if (!examples.note.empty())
        section.notes.push_back("Figures for " + examples.note + ".");
    if (std::string unchanged = unchangedText(history); !unchanged.empty())
        section.notes.push_back(std::move(unchanged));
    for (const std::string &remark : remarksOf(history))
        section.notes.push_back(remark + ".");
    if (const auto unverified = history.firstUnverified())
        section.notes.push_back(unverifiedText(history, *unverified));
    if (const auto &failure = history.failure())
        section.notes.push_back(std::string(failure->entry.pass->name) + " failed: " + failure->error.text());
    section.tables.push_back(std::move(table));
    const ir::Model &model = *history.modelAfter(0);
    return {"Passes", model.path, {}, {std::move(section)}};
}

std::string passesJson(std::span<const passes::Pass *const> others)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.pass-list/1");
    out.key("passes");
    out.beginArray();
    for (const passes::Pass *pass : allPasses(others)) {
        out.beginObject();
        out.member("name", pass->name);
        out.member("description", pass->description);
        out.member("default", pass->isDefault);
        writeTexts(out, "needs", pass->needs);
        writeTexts(out, "tidied_by", pass->tidiedBy);
        out.key("options");
        out.beginArray();
        for (const passes::Option &option : pass->options) {
            out.beginObject();
            out.member("name", option.name);
            out.member("description", option.description);
            std::visit([&](const auto &value) { out.member("default", value); }, option.defaultValue);
            out.endObject();
        }
        out.endArray();
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return out.take();
}

std::string passesText(std::span<const passes::Pass *const> others)
{
    print::TextTable table({{}, {.maxWidth = 100, .isProse = true}});
    for (const passes::Pass *pass : allPasses(others)) {
        table.addRow({std::string(pass->name) + (pass->isDefault ? " *" : ""), std::string(pass->description)});
        if (const std::string needs = passes::needsText(*pass); !needs.empty())
            table.addRow({"", "  " + needs});
        for (const passes::Option &option : pass->options)
            table.addRow({"  " + std::string(option.name) + "=" + passes::print(option.defaultValue),
                          "  " + std::string(option.description)});
    }
    return table.print(0) + "\n* in the default pipeline\n";
}

} // namespace cutaway::report
