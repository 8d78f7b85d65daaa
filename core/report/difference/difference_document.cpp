// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/names.h"
#include "core/print/figures.h"
#include "core/report/difference.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/part_changes.h"

#include <algorithm>

namespace cutaway::report {

namespace {

using Kind = Column::Kind;

std::string changesText(const std::vector<diff::Change> &changes)
{
    std::string text;
    for (const diff::Change &change : changes)
        text += (text.empty() ? "" : "; ") + change.what + ": " + change.before + " → " + change.after;
    return text;
}

std::string namesText(const diff::Side &side, const std::vector<ir::NodeId> &nodes)
{
    std::string text;
    for (const ir::NodeId node : nodes)
        text += (text.empty() ? "" : ", ") + ir::nameOf({side.graph(), node});
    return text;
}

Section totalsSection(const diff::Difference &difference)
{
    Table table{.columns = {{"Figure"}, {"A", Kind::Number}, {"B", Kind::Number}}, .rows = {}};
    for (const diff::Figure &figure : difference.totals)
        table.rows.push_back({{std::string(figure.name)},
                              {print::exactText(figure.before, figure.beforeAtLeast)},
                              {print::exactText(figure.after, figure.afterAtLeast)}});
    Section section{"totals", "Totals"};
    if (!difference.isExact)
        section.notes = {"The files are written by different programs: views, conversions and sizes are not compared."};
    for (const diff::Change &change : difference.signature)
        section.notes.push_back(changesText({change}));
    section.tables.push_back(std::move(table));
    return section;
}

Section modulesSection(const diff::Difference &difference)
{
    Table table{.columns = {{"Module", Kind::Name},
                            {"Changed", Kind::Number},
                            {"Removed", Kind::Number},
                            {"Added", Kind::Number}},
                .rows = {}};
    const auto count = [](std::size_t n) { return Cell{.text = n > 0 ? std::to_string(n) : "", .order = double(n)}; };
    for (const diff::ModuleChanges &module : difference.modules)
        table.rows.push_back({{module.path.empty() ? "model" : module.path},
                              count(module.changed),
                              count(module.onlyA),
                              count(module.onlyB)});
    return {.id = "modules", .title = "Modules", .tables = {std::move(table)}};
}

/// Returns the section on the parts that were found in A's graph.
Section partsSection(const Comparison &comparison)
{
    Table table{.columns = {{"Part of A", Kind::Name}, {"Nodes", Kind::Number}, {"Difference"}}, .rows = {}};
    for (const PartChanges &part : partChanges(comparison))
        table.rows.push_back(
            {{part.name}, {.text = std::to_string(part.nodes), .order = double(part.nodes)}, {partText(part)}});
    Section section{.id = "parts", .title = "Parts", .tables = {std::move(table)}};
    section.notes = {"The file does not group these nodes: they were found in the graph."};
    return section;
}

Section changedSection(const Comparison &comparison)
{
    Table table{.columns = {{"A", Kind::Name}, {"B", Kind::Name}, {"Operator", Kind::Name}, {"Change"}}, .rows = {}};
    for (const diff::Pair &pair : comparison.difference.pairs)
        if (const ir::NodeRef a(comparison.a.graph(), pair.a), b(comparison.b.graph(), pair.b); !pair.changes.empty())
            table.rows.push_back({{nameOf(a)}, {nameOf(b)}, {a.fullName()}, {changesText(pair.changes)}});
    return {.id = "changed", .title = "Changed nodes", .tables = {std::move(table)}};
}

Section leftSection(std::string id, std::string title, const diff::Side &side, const std::vector<ir::NodeId> &nodes)
{
    Table table{.columns = {{"Node", Kind::Name}, {"Operator", Kind::Name}, {"Module", Kind::Name}}, .rows = {}};
    for (const ir::NodeId left : nodes) {
        const ir::NodeRef node(side.graph(), left);
        const std::string_view module = side.graph().context().text(node.scope().path);
        table.rows.push_back({{nameOf(node)}, {node.fullName()}, {std::string(module)}});
    }
    return {.id = std::move(id), .title = std::move(title), .tables = {std::move(table)}};
}

std::string allOperatorsText(const diff::RegionSide &side)
{
    std::string text;
    for (const auto &[name, count] : side.operators)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    return text;
}

Section regionsSection(const Comparison &comparison)
{
    Table table{.columns = {{"A"}, {"B"}, {"Operators of A"}, {"Operators of B"}, {"Why not equivalent"}}, .rows = {}};
    for (const diff::Region &region : comparison.difference.regions)
        table.rows.push_back({{regionSideText(region.a) + ": " + namesText(comparison.a, region.a.nodes)},
                              {regionSideText(region.b) + ": " + namesText(comparison.b, region.b.nodes)},
                              {allOperatorsText(region.a)},
                              {allOperatorsText(region.b)},
                              {region.reason}});
    return {.id = "replaced", .title = "Replaced regions", .tables = {std::move(table)}};
}

Section groupsSection(const Comparison &comparison)
{
    Table table{.columns = {{"A", Kind::Name}, {"B", Kind::Name}, {"Proof"}}, .rows = {}};
    for (const diff::Group &group : comparison.difference.groups)
        table.rows.push_back({{namesText(comparison.a, group.a)}, {namesText(comparison.b, group.b)}, {group.proof}});
    return {.id = "groups", .title = "Equivalent groups of nodes", .tables = {std::move(table)}};
}

Section notComparedSection(const Comparison &comparison)
{
    Table table{.columns = {{"A", Kind::Name}, {"B", Kind::Name}, {"What"}, {"Why not"}}, .rows = {}};
    const auto name = [](const diff::Side &side, std::optional<ir::NodeId> node) {
        return node ? ir::nameOf({side.graph(), *node}) : std::string();
    };
    for (const diff::NotCompared &each : comparison.difference.notCompared)
        table.rows.push_back(
            {{name(comparison.a, each.nodes.a)}, {name(comparison.b, each.nodes.b)}, {each.what}, {each.reason}});
    return {.id = "not-compared", .title = "Not compared", .tables = {std::move(table)}};
}

Section notProvenSection(const Comparison &comparison)
{
    Table table{.columns = {{"A", Kind::Name}, {"B", Kind::Name}, {"What"}, {"Why not"}}, .rows = {}};
    const auto name = [](const diff::Side &side, std::optional<ir::NodeId> node) {
        return node ? ir::nameOf({side.graph(), *node}) : std::string();
    };
    for (const diff::NotProven &each : comparison.difference.notProven)
        table.rows.push_back(
            {{name(comparison.a, each.nodes.a)}, {name(comparison.b, each.nodes.b)}, {each.what}, {each.reason}});
    return {.id = "not-proven", .title = "Not proven to be the same", .tables = {std::move(table)}};
}

Section pairsSection(const Comparison &comparison)
{
    Table table{.columns = {{"A", Kind::Name}, {"B", Kind::Name}, {"Score", Kind::Number}, {"Why"}}, .rows = {}};
    for (const diff::Pair &pair : comparison.difference.pairs)
        table.rows.push_back({{ir::nameOf({comparison.a.graph(), pair.a})},
                              {ir::nameOf({comparison.b.graph(), pair.b})},
                              {std::to_string(pair.score).substr(0, 4)},
                              {std::string(diff::sentence(pair.reason))}});
    return {.id = "pairs", .title = "Matched nodes", .tables = {std::move(table)}};
}

} // namespace

Document differenceDocument(const Comparison &comparison)
{
    const diff::Difference &difference = comparison.difference;
    const diff::Counts counts = difference.counts();
    Document document{"Difference", comparison.a.model.path + " → " + comparison.b.model.path, {}, {}};
    document.headlines = {{"Similarity", similarityText(difference), {}},
                          {"Matched", std::to_string(counts.matched), {}},
                          {"Changed", std::to_string(counts.changed), {}},
                          {"Removed", std::to_string(counts.onlyA), {}},
                          {"Added", std::to_string(counts.onlyB), {}}};
    if (counts.regions > 0)
        document.headlines.push_back({"Replaced regions", std::to_string(counts.regions), {}});
    if (!difference.isComplete())
        document.headlines.push_back({"Not compared", std::to_string(difference.notCompared.size()), {}});
    if (!difference.isProven())
        document.headlines.push_back({"Not proven", std::to_string(difference.notProven.size()), {}});
    document.sections = {totalsSection(difference),
                         modulesSection(difference),
                         partsSection(comparison),
                         changedSection(comparison),
                         regionsSection(comparison),
                         notComparedSection(comparison),
                         notProvenSection(comparison),
                         leftSection("removed", "Only in A", comparison.a, difference.onlyA),
                         leftSection("added", "Only in B", comparison.b, difference.onlyB),
                         groupsSection(comparison),
                         pairsSection(comparison)};
    std::erase_if(document.sections,
                  [](const Section &section) { return section.tables.empty() || section.tables[0].rows.empty(); });
    return document;
}

std::string differenceIn(const Comparison &comparison, std::string_view suffix, WeightList weights)
{
    if (suffix == ".json")
        return differenceJson(comparison) + "\n";
    if (suffix == ".html")
        return html(differenceDocument(comparison), "");
    if (suffix == ".md")
        return markdown(differenceDocument(comparison));
    return differenceText(comparison, weights);
}

bool isDifferenceSuffix(std::string_view suffix)
{
    return suffix == ".html" || suffix == ".md" || suffix == ".json" || suffix == ".diff" || suffix == ".txt";
}

} // namespace cutaway::report
