// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/cells.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/timing/time_text.h"
#include "core/report/traces/trace_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::report {

namespace {

/// A row of any of the tables.
struct ChangedTime {
    std::string name, op;
    const run::TimeChange *time = nullptr;
    std::string verdict;
};

/// Returns the changes, the largest first.
std::vector<ChangedTime> sortedByChange(std::vector<ChangedTime> rows)
{
    std::ranges::stable_sort(rows, std::greater(),
                             [](const ChangedTime &row) { return std::abs(row.time->difference()); });
    return rows;
}

std::vector<ChangedTime> changedNodes(const TraceComparison &compared)
{
    std::vector<ChangedTime> rows;
    for (const trace::NodeChange &each : compared.comparison.nodes) {
        const ir::NodeRef node(compared.graph, each.node);
        rows.push_back({sanitized(ir::nameOf(node)), sanitized(node.fullName()), &each.time, trace::verdictText(each)});
    }
    return sortedByChange(std::move(rows));
}

std::vector<ChangedTime> changedModules(const TraceComparison &compared)
{
    std::vector<ChangedTime> rows;
    for (const auto &[path, time] : compared.comparison.modules)
        if (!path.empty())
            rows.push_back({sanitized(path), {}, &time, std::string(run::name(time.verdict()))});
    return sortedByChange(std::move(rows));
}

std::vector<ChangedTime> changedOthers(const TraceComparison &compared)
{
    std::vector<ChangedTime> rows;
    for (const trace::OtherChange &each : compared.comparison.others)
        rows.push_back({sanitized(each.name), {}, &each.time, std::string(run::name(each.time.verdict()))});
    return sortedByChange(std::move(rows));
}

std::string tableText(std::string_view title, const std::vector<ChangedTime> &rows)
{
    constexpr std::size_t mostRows = 20;
    if (rows.empty())
        return {};
    using enum print::TextTable::Align;
    print::TextTable table({{Right}, {Right}, {Right}, {}, {}, {}});
    table.addRow({"A", "B", "B ÷ A", "", "", ""});
    for (std::size_t i = 0; i < std::min(rows.size(), mostRows); ++i)
        table.addRow({medianText(rows[i].time->before), medianText(rows[i].time->after), ratioText(*rows[i].time),
                      rows[i].name, rows[i].op, rows[i].verdict});
    return formatted("\n{}\n{}", title, table.print(2))
        + (rows.size() > mostRows ? formatted("  and {} more\n", rows.size() - mostRows) : "");
}

/// Returns "a run takes 1.2 ms in A and 1.5 ms in B, 1.25 times as long, beyond the noise".
std::string wholeText(const run::TimeChange &whole)
{
    using enum run::Verdict;
    const run::Verdict verdict = whole.verdict();
    const std::string noise = verdict == WithinNoise ? ", which is within the noise"
        : verdict == NotKnown ? formatted("; fewer than {} runs of a side do not tell the noise", run::fewestForNoise)
                              : ", which is more than the noise";
    const std::string ratio = whole.ratio() ? formatted(", {} times as long", ratioText(whole)) : "";
    return formatted("a run takes {} in A and {} in B{}{}", medianText(whole.before), medianText(whole.after), ratio,
                     noise);
}

constexpr std::string_view onDevices = "the times of nodes and modules are those of their work on devices";

Section changesSection(std::string id, std::string title, const std::vector<ChangedTime> &rows, bool hasOperators)
{
    using ColumnKind = Column::Kind;
    Table table{.columns = {{"Name", ColumnKind::Name}}, .rows = {}};
    if (hasOperators)
        table.columns.push_back({"Operator", ColumnKind::Name});
    table.columns.insert(
        table.columns.end(),
        {{"A", ColumnKind::Number}, {"B", ColumnKind::Number}, {"B ÷ A", ColumnKind::Number}, {"Verdict"}});
    const auto median = [](const std::optional<protocol::Spread> &spread) {
        return spread ? secondsCell(spread->median) : Cell{};
    };
    for (const ChangedTime &row : rows) {
        std::vector<Cell> cells{{row.name}};
        if (hasOperators)
            cells.push_back({row.op});
        cells.insert(cells.end(),
                     {median(row.time->before), median(row.time->after),
                      Cell{ratioText(*row.time), {}, row.time->ratio()}, Cell{row.verdict}});
        table.rows.push_back(std::move(cells));
    }
    Section section{.id = std::move(id), .title = std::move(title)};
    section.tables.push_back(std::move(table));
    return section;
}

} // namespace

std::string traceComparisonText(const TraceComparison &compared)
{
    std::string text = wholeText(compared.comparison.whole) + "\n";
    if (compared.comparison.isOnDevices)
        text += std::string(onDevices) + "\n";
    return text + tableText("modules", changedModules(compared)) + tableText("nodes", changedNodes(compared))
        + tableText("without a node", changedOthers(compared));
}

std::string traceComparisonCsv(const TraceComparison &compared)
{
    std::string text =
        print::csvRow(std::array<std::string, 8>{"name", "op", "scope", "a_us", "b_us", "ratio", "verdict", "moved"});
    const auto us = [](const std::optional<protocol::Spread> &spread) {
        return spread ? formatted("{:.3f}", spread->median * 1e6) : "";
    };
    for (const trace::NodeChange &each : compared.comparison.nodes) {
        const ir::NodeRef node(compared.graph, each.node);
        const auto ratio = each.time.ratio();
        text += print::csvRow(std::array<std::string, 8>{
            ir::nameOf(node), node.fullName(), std::string(compared.graph.context().text(node.scope().path)),
            us(each.time.before), us(each.time.after), ratio ? formatted("{:.4f}", *ratio) : "",
            std::string(run::name(each.time.verdict())), each.isMoved ? "yes" : "no"});
    }
    return text;
}

Document traceComparisonDocument(const TraceComparison &compared)
{
    const trace::Comparison &comparison = compared.comparison;
    Document document{
        "Two measured runs", compared.before + " → " + compared.after + " of " + compared.modelPath, {}, {}};
    document.headlines = {{"Run in A", medianText(comparison.whole.before), {}},
                          {"Run in B", medianText(comparison.whole.after), {}},
                          {"B ÷ A", ratioText(comparison.whole), {}}};
    Section summary{.id = "summary", .title = "Summary", .notes = {wholeText(comparison.whole)}};
    if (comparison.isOnDevices)
        summary.notes.emplace_back(onDevices);
    document.sections = {std::move(summary), changesSection("modules", "Modules", changedModules(compared), false),
                         changesSection("nodes", "Nodes", changedNodes(compared), true),
                         changesSection("others", "No node's", changedOthers(compared), false)};
    std::erase_if(document.sections, [](const Section &section) {
        return section.notes.empty() && (section.tables.empty() || section.tables[0].rows.empty());
    });
    return document;
}

std::string traceComparisonIn(const TraceComparison &compared, std::string_view suffix)
{
    if (suffix == ".json")
        return traceComparisonJson(compared) + "\n";
    if (suffix == ".csv")
        return traceComparisonCsv(compared);
    const Document document = traceComparisonDocument(compared);
    return suffix == ".html" ? html(document, "") : markdown(document);
}

} // namespace cutaway::report
