// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/print/figures.h"
#include "core/report/cells.h"
#include "core/report/difference.h"
#include "core/report/sequences/headings.h"
#include "core/report/sequences/sequences_report.h"
#include "core/report/sequences/step_patterns.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/history.h"
#include "core/sequence/kernel_bytes.h"
#include "core/sequence/saved.h"

#include <algorithm>
#include <cctype>

namespace cutaway::report {

namespace {

using Kind = Column::Kind;

Cell nodesCell(const sequence::Step &step)
{
    return step.outline ? countCell(static_cast<std::int64_t>(step.outline->nodes)) : Cell{"?"};
}

std::string stepTitle(const sequence::Sequence &sequence, const sequence::Document &document)
{
    return sequence.function.empty() ? idText(sequence, document)
                                     : sanitized(idText(sequence, document) + " " + sequence.function);
}

Section overviewSection(const sequence::Document &document)
{
    Table table{.columns = {{"Compilation", Kind::Name},
                            {"Function", Kind::Name},
                            {"Place"},
                            {"Status"},
                            {"Graphs", Kind::Number},
                            {"Nodes of the last", Kind::Number},
                            {"Graph breaks", Kind::Number},
                            {"Compiled again because"}},
                .rows = {},
                .briefRows = document.sequences.size()};
    for (const sequence::Sequence &each : document.sequences)
        table.rows.push_back({{idText(each, document)},
                              {sanitized(each.function)},
                              {sanitized(each.file.empty() ? "" : codePlaceText(each.file, each.line))},
                              {std::string(sequence::name(each.status))},
                              countCell(static_cast<std::int64_t>(each.steps.size())),
                              each.steps.empty() ? Cell{} : nodesCell(each.steps.back()),
                              countCell(static_cast<std::int64_t>(each.graphBreaks.size())),
                              {firstLine(each.recompileReason)}});
    Section section{.id = "compilations", .title = "Compilations"};
    section.tables.push_back(std::move(table));
    return section;
}

/// Returns a row for each graph that differs from the one before it; unchangedNote() counts the others.
Table changesTable(const sequence::Sequence &sequence)
{
    Table table{
        .title = "Steps",
        .columns = {{"Step", Kind::Name}, {"Stage"}, {"Nodes", Kind::Number}, {"Line", Kind::Number}, {"What it did"}},
        .rows = {},
        .briefRows = sequence.steps.size()};
    const StepPatterns patterns = patternsOf(sequence);
    for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
        const sequence::Step &step = sequence.steps[i];
        if (step.changed == false)
            continue;
        table.rows.push_back({{sanitized(step.name)},
                              {std::string(sequence::name(step.kind))},
                              nodesCell(step),
                              step.line ? countCell(static_cast<std::int64_t>(*step.line)) : Cell{},
                              {sanitized(diff::lineOf(patterns[i]))}});
    }
    return table;
}

/// Returns "77 steps changed nothing."; "" if each step changed something.
std::string unchangedNote(const sequence::Sequence &sequence)
{
    const auto count = std::ranges::count(sequence.steps, std::optional(false), &sequence::Step::changed);
    return count == 0 ? std::string() : quantity(count, "step") + " changed nothing.";
}

void addKernels(Section &section, const sequence::Sequence &sequence)
{
    const auto kernels = sequence::kernelsOf(sequence);
    if (kernels.empty())
        return;
    const auto bytes = sequence::kernelBytes(sequence, kernels);
    Table table{.title = "Kernels",
                .columns = {{"Kernel", Kind::Name},
                            {"Reads", Kind::Number},
                            {"Writes", Kind::Number},
                            {"Fusion saves", Kind::Number},
                            {"Nodes", Kind::Name}},
                .rows = {}};
    for (std::size_t i = 0; i < kernels.size(); ++i)
        table.rows.push_back({{sanitized(kernels[i].name)},
                              {print::bytesText(bytes[i].read)},
                              {print::bytesText(bytes[i].written)},
                              {print::bytesText(bytes[i].saved)},
                              {sanitized(joined(kernels[i].nodes, ", "))}});
    section.tables.push_back(std::move(table));
}

void addSaved(Section &section, const std::vector<sequence::SavedValue> &saved)
{
    if (saved.empty())
        return;
    Table table{
        .title = "Saved for the backward",
        .columns = {{"Value", Kind::Name}, {"Bytes", Kind::Number}, {"Made by", Kind::Name}, {"Needed by", Kind::Name}},
        .rows = {}};
    for (const sequence::SavedValue &value : saved) {
        const auto bytes = value.type.and_then([](const auto &type) { return type.byteCount(); });
        table.rows.push_back({{sanitized(value.name)},
                              {bytes ? byteCount(static_cast<double>(*bytes)) : "?", {}, bytes.transform([](auto n) {
                                   return static_cast<double>(n);
                               })},
                              {sanitized(value.madeBy.value_or("?"))},
                              {sanitized(joined(value.neededBy, ", "))}});
    }
    section.tables.push_back(std::move(table));
}

void addGuards(Section &section, const sequence::Sequence &sequence)
{
    const auto guards = sequence::guardsOf(sequence);
    if (guards.empty())
        return;
    Table table{.title = "Guards", .columns = {{"Kind"}, {"Check", Kind::Name}, {"Asked for by"}}, .rows = {}};
    for (const sequence::Guard &guard : guards)
        table.rows.push_back({{sanitized(guard.kind)},
                              {shortened(sanitized(guard.check), 200)},
                              {joinedPair(guard.code, guard.place, ", ")}});
    section.tables.push_back(std::move(table));
}

void addPhases(Section &section, const sequence::Sequence &sequence)
{
    if (sequence.phases.empty())
        return;
    Table table{.title = "Compile time", .columns = {{"Phase"}, {"Time", Kind::Number}}, .rows = {}};
    for (const sequence::Phase &phase : sequence.phases)
        table.rows.push_back({{phase.name}, secondsCell(phase.seconds)});
    section.tables.push_back(std::move(table));
}

Section compilationSection(const sequence::Document &document, std::size_t at)
{
    const sequence::Sequence &each = document.sequences[at];
    Section section{.id = formatted("compilation-{}", at + 1), .title = stepTitle(each, document)};
    section.notes.push_back(headingOf(each, document));
    if (!each.recompileReason.empty())
        section.notes.push_back("Compiled again: " + firstLine(each.recompileReason));
    for (const sequence::GraphBreak &broken : each.graphBreaks)
        section.notes.push_back(formatted("Graph break at {}: {}",
                                          sanitized(codePlaceText(broken.file.value_or("?"), broken.line)),
                                          firstLine(broken.reason)));
    for (const sequence::SizeSymbol &symbol : each.symbols)
        section.notes.push_back("Size " + symbolText(symbol));
    if (const std::string caches = cachesText(each); !caches.empty())
        section.notes.push_back("Caches: " + caches);
    if (const std::string unchanged = unchangedNote(each); !unchanged.empty())
        section.notes.push_back(unchanged);
    if (!each.steps.empty())
        section.tables.push_back(changesTable(each));
    addKernels(section, each);
    if (const sequence::Sequence *backward = sequence::backwardOf(document, each))
        addSaved(section, sequence::savedValues(each, *backward));
    addPhases(section, each);
    addGuards(section, each);
    return section;
}

std::string diagnosticNote(const sequence::Diagnostic &diagnostic)
{
    return sanitized(codePlaceText(diagnostic.file, diagnostic.line) + ": " + diagnostic.message);
}

/// Returns the nodes that a step removed and added, as the lines of a diff.
Table nodesTable(const passes::History &history, std::size_t step)
{
    constexpr std::size_t most = 200;
    const ir::Model &before = *history.modelAfter(step), &after = *history.modelAfter(step + 1);
    const auto analysisA = analysis::analyse(before, history.function(), history.given());
    const auto analysisB = analysis::analyse(after, history.function(), history.given());
    const diff::Side a{before, analysisA}, b{after, analysisB};
    const diff::Difference difference = diff::compareStates(a, b);
    const std::string text = differenceText({a, b, difference});
    Table table{.title = "Changed nodes", .columns = {{""}, {"Node", Kind::Name}}, .rows = {}};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if ((!line.starts_with('+') && !line.starts_with('-')) || line.starts_with("+++") || line.starts_with("---"))
            continue;
        if (table.rows.size() == most)
            ++table.leftOut;
        else
            table.rows.push_back(
                {{line.substr(0, 1)}, {line.substr(std::min(line.find_first_not_of(' ', 1), line.size()))}});
    }
    return table;
}

/// Returns the prefix of ids and file names for a compilation: "2-0-1-backward-".
std::string prefixOf(const sequence::Document &document, std::size_t at)
{
    std::string prefix = formatted("{}-{}", at + 1, idText(document.sequences[at], document));
    std::ranges::replace_if(prefix, [](unsigned char c) { return !std::isalnum(c) && c != '-'; }, '-');
    return prefix + "-";
}

} // namespace

Document sequencesDocument(const sequence::Document &document)
{
    std::int64_t graphs = 0;
    for (const sequence::Sequence &each : document.sequences)
        graphs += static_cast<std::int64_t>(each.steps.size());
    Document report{.title = "What the compiler did",
                    .subtitle = sanitized(joined(document.sources, ", ")),
                    .headlines = {{"Compilations", grouped(static_cast<long long>(document.sequences.size())), {}},
                                  {"Graphs", grouped(graphs), {}}},
                    .sections = {overviewSection(document)}};
    for (std::size_t i = 0; i < document.sequences.size(); ++i)
        report.sections.push_back(compilationSection(document, i));
    Section messages{.id = "messages", .title = "Messages about the file"};
    for (const sequence::Diagnostic &each : document.diagnostics)
        messages.notes.push_back(diagnosticNote(each));
    if (!messages.notes.empty())
        report.sections.push_back(std::move(messages));
    return report;
}

Result<std::vector<DrawnStep>> drawSequences(const sequence::Document &document, const Task &task)
{
    std::vector<DrawnStep> all;
    for (std::size_t i = 0; i < document.sequences.size(); ++i) {
        task.report("drawing the steps", i, document.sequences.size());
        const auto history = sequence::historyOf(document.sequences[i], task);
        if (!history && history.error().kind == ErrorKind::Cancelled)
            return std::unexpected(history.error());
        if (!history)
            continue;
        CUTAWAY_TRY(auto drawn, drawSteps(*history, prefixOf(document, i), task.stop));
        std::size_t next = 1; // the first picture shows the first graph
        for (std::size_t step = 0; step < history->steps().size(); ++step)
            if (history->steps()[step].isChange)
                drawn[next++].section.tables.push_back(nodesTable(*history, step));
        for (DrawnStep &each : drawn) {
            each.section.title = stepTitle(document.sequences[i], document) + ": " + each.section.title;
            all.push_back(std::move(each));
        }
    }
    return all;
}

} // namespace cutaway::report
