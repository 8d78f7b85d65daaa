// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/compilations.h"

#include "core/sequence/facts/export_failure.h"
#include "core/sequence/read/envelope.h"
#include "core/sequence/read/graph_break.h"
#include "core/sequence/read/placing.h"
#include "core/sequence/read/stages.h"

#include <algorithm>

namespace cutaway::sequence {

namespace {

/// Returns the part that Inductor's code belongs to, by a comment at its start: `# AOT ID: ['0_backward']`.
std::optional<Part> partOfCode(const Excerpt &code)
{
    constexpr int linesLookedAt = 20;
    std::optional<Part> part;
    int lines = 0;
    code.forEachLine([&](std::string_view line) {
        if (line.starts_with("# AOT ID: "))
            part = line.contains("_backward'") ? Part::Backward : Part::Forward;
        return !part && ++lines < linesLookedAt;
    });
    return part;
}

} // namespace

void Compilation::addGraph(Step step)
{
    if (step.name == "aot_backward_graph") {
        m_hasBackward = true;
        m_backward.steps.push_back(std::move(step));
    } else if (!m_hasBackward || step.name == "aot_forward_graph") {
        forward.steps.push_back(std::move(step));
    } else {
        m_undecided.push_back(std::move(step));
    }
}

void Compilation::addRecord(Record record)
{
    if (record.name == "inductor_output_code")
        endCode(partOfCode(record.text));
    if (record.name == "recompile_reasons")
        forward.recompileReason = listedTexts(record.text.text());
    if (record.name == "dynamo_graph_break_reason")
        forward.graphBreaks.push_back(graphBreakIn(record.text.text()));
    at(m_lastCode).records.push_back(std::move(record));
}

void Compilation::addSymbol(SizeSymbol symbol)
{
    const auto known = std::ranges::find(forward.symbols, symbol.name, &SizeSymbol::name);
    if (known == forward.symbols.end())
        return forward.symbols.push_back(std::move(symbol));
    if (!symbol.fixedTo)
        return;
    known->fixedTo = std::move(symbol.fixedTo);
    known->reason = std::move(symbol.reason);
    known->file = std::move(symbol.file);
    known->line = symbol.line;
}

void Compilation::endCode(std::optional<Part> part) { decide(part.value_or(partByOrder())); }

Part Compilation::partByOrder() const { return m_hasForwardCode && m_hasBackward ? Part::Backward : Part::Forward; }

/// Puts the graphs since the last code into this part, which the code belongs to.
void Compilation::decide(Part part)
{
    std::ranges::move(m_undecided, std::back_inserter(at(part).steps));
    m_undecided.clear();
    m_lastCode = part;
    m_hasForwardCode |= part == Part::Forward;
}

Status Compilation::statusOf(Part part, bool isGivenUp) const
{
    if (isGivenUp)
        return Status::Restarted;
    if (m_isCut && part == partByOrder())
        return Status::Cut;
    if (part == Part::Backward)
        return Status::Ok;
    if (hasFailed)
        return Status::Failed;
    return forward.steps.empty() ? Status::Empty : Status::Ok;
}

std::vector<Sequence> Compilation::finish(bool isGivenUp)
{
    // No code follows the last graphs: the log is cut, or nothing is compiled from them.
    decide(partByOrder());
    std::ranges::stable_sort(forward.steps, {}, &Step::line);
    forward.status = statusOf(Part::Forward, isGivenUp);
    m_backward.status = statusOf(Part::Backward, isGivenUp);
    m_backward.part = Part::Backward;
    m_backward.compileId = forward.compileId;
    m_backward.rank = forward.rank;
    m_backward.attempt = forward.attempt;
    m_backward.function = forward.function;
    m_backward.file = forward.file;
    m_backward.line = forward.line;
    const bool hasBackward = !m_backward.steps.empty();
    setDirections(forward, hasBackward);
    setDirections(m_backward, hasBackward);
    std::vector<Sequence> parts;
    const bool hasNoExport = std::ranges::contains(forward.records, exportFailureRecord, &Record::name);
    if (isKnown || hasNoExport || !forward.steps.empty() || !forward.graphBreaks.empty())
        parts.push_back(std::move(forward));
    if (hasBackward)
        parts.push_back(std::move(m_backward));
    return parts;
}

Compilation &Compilations::at(std::optional<int> rank, const std::optional<std::string> &compileId, std::uint64_t line)
{
    const auto [found, isNew] = m_index.try_emplace({rank, compileId}, m_compilations.size());
    if (isNew) {
        Compilation &compilation = m_compilations.emplace_back();
        compilation.forward.compileId = compileId;
        compilation.forward.rank = rank;
        compilation.forward.firstLine = line;
    }
    return *(m_last = &m_compilations[found->second]);
}

void Compilations::cutLast()
{
    if (m_last)
        m_last->cut();
}

void Compilations::addTo(Document &document, const std::string &source)
{
    std::map<std::pair<std::optional<int>, std::string>, int> lastAttempts;
    for (const Compilation &compilation : m_compilations) {
        int &last = lastAttempts[{compilation.forward.rank, compilation.frame}];
        last = std::max(last, compilation.forward.attempt);
    }
    if (m_last && m_last->isKnown && !m_last->isFinished) // its process was killed before the end
        m_last->cut();
    std::vector<Sequence> sequences;
    for (Compilation &compilation : m_compilations) {
        const bool isGivenUp = !compilation.frame.empty()
            && compilation.forward.attempt < lastAttempts[{compilation.forward.rank, compilation.frame}];
        std::ranges::move(compilation.finish(isGivenUp), std::back_inserter(sequences));
    }
    place(std::move(sequences), source, document);
}

} // namespace cutaway::sequence
