// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/report/cells.h"
#include "core/report/sequences/comparison.h"
#include "core/report/sequences/headings.h"

#include <algorithm>

namespace cutaway::report {

namespace {

using Kind = Column::Kind;
using sequence::ComparedSequence;
using sequence::ComparedStep;

Table stepsTable(const SequenceComparison &comparison, const ComparedSequence &each)
{
    Table table{.columns = {{"Stage", Kind::Name},
                            {"Verdict"},
                            {"Nodes in A", Kind::Number},
                            {"Nodes in B", Kind::Number},
                            {"Difference"},
                            {"Operators"}},
                .rows = {},
                .briefRows = each.steps.size()};
    const auto nodes = [](std::optional<std::size_t> at, std::size_t count) {
        return at ? countCell(static_cast<std::int64_t>(count)) : Cell{};
    };
    for (const ComparedStep &step : each.steps)
        table.rows.push_back({{stepName(comparison, each, step)},
                              {verdictWord(step.at, step.verdict)},
                              nodes(step.at.a, step.nodesA),
                              nodes(step.at.b, step.nodesB),
                              {detailText(step)},
                              {operatorCountsText(step)}});
    return table;
}

Table phasesTable(const std::vector<ComparedPhase> &phases)
{
    Table table{.title = "Compile time", .columns = {{"Phase"}, {"A", Kind::Number}, {"B", Kind::Number}}, .rows = {}};
    for (const ComparedPhase &phase : phases)
        table.rows.push_back({{phase.name}, secondsCell(phase.a), secondsCell(phase.b)});
    return table;
}

void addOnly(Section &section, const std::string &title, const sequence::OnlyTexts &only)
{
    if (only.isEmpty())
        return;
    Table table{.title = title, .columns = {{"Only in"}, {"Text"}}, .rows = {}};
    for (const auto &[texts, side] : {std::pair(&only.a, "A"), std::pair(&only.b, "B")})
        for (const std::string &text : *texts)
            table.rows.push_back({{side}, {firstLine(text)}});
    section.tables.push_back(std::move(table));
}

Section sectionOf(const SequenceComparison &comparison, const ComparedSequence &each, std::size_t number)
{
    const auto side = [](const sequence::Document &document, std::optional<std::size_t> at) {
        return at ? headingOf(document.sequences[*at], document) : std::string("–");
    };
    Section section{.id = formatted("compilation-{}", number),
                    .title = formatted("{}: {}", idText(comparison, each), verdictWord(each.at, each.verdict()))};
    section.notes = {"A: " + side(comparison.a, each.at.a), "B: " + side(comparison.b, each.at.b)};
    if (std::string detail = detailText(comparison, each); !detail.empty())
        section.notes.push_back(std::move(detail));
    if (!each.steps.empty())
        section.tables.push_back(stepsTable(comparison, each));
    addOnly(section, "Graph breaks", each.breaks);
    addOnly(section, "Compiled again because", each.reasons);
    addOnly(section, "Guards", each.guards);
    if (const auto phases = phasesOf(comparison, each); !phases.empty())
        section.tables.push_back(phasesTable(phases));
    return section;
}

} // namespace

Document comparisonDocument(const SequenceComparison &comparison)
{
    Document document{.title = "Two compilations side by side",
                      .subtitle = sanitized(formatted("A: {}, B: {}", comparison.nameA, comparison.nameB)),
                      .headlines = {},
                      .sections = {}};
    document.sections.push_back({.id = "verdict", .title = "Verdict", .notes = {verdictText(comparison)}});
    for (std::size_t i = 0; i < comparison.compared.size(); ++i)
        document.sections.push_back(sectionOf(comparison, comparison.compared[i], i + 1));
    Section messages{.id = "messages", .title = "Messages about the files"};
    for (const sequence::Document *side : {&comparison.a, &comparison.b})
        std::ranges::transform(side->diagnostics, std::back_inserter(messages.notes), diagnosticText);
    if (!messages.notes.empty())
        document.sections.push_back(std::move(messages));
    return document;
}

} // namespace cutaway::report
