// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/sequences/comparison.h"
#include "core/report/sequences/headings.h"

#include <algorithm>

namespace cutaway::report {

namespace {

using sequence::ComparedSequence;
using sequence::ComparedStep;
using sequence::Verdict;

const sequence::Sequence *sideOf(const sequence::Document &document, std::optional<std::size_t> at)
{
    return at ? &document.sequences[*at] : nullptr;
}

std::string stepsText(const SequenceComparison &comparison, const ComparedSequence &compared, bool isWhole)
{
    print::TextTable table({{.maxWidth = 60}, {}, {}, {.maxWidth = 100, .isProse = true}});
    std::size_t same = 0, alone = 0; // numbers of rows that are left out
    for (const ComparedStep &step : compared.steps) {
        if (!isWhole && step.verdict == Verdict::Same) {
            ++(step.at.a && step.at.b ? same : alone);
            continue;
        }
        std::string how = detailText(step);
        if (const std::string operators = operatorCountsText(step); !operators.empty())
            how += "; " + operators;
        table.addRow({stepName(comparison, compared, step), verdictWord(step.at, step.verdict), nodeCountText(step),
                      std::move(how)});
    }
    std::string text = table.print(2);
    if (same > 0)
        text += formatted("  {} {} the same.\n", quantity(same, "stage"), same == 1 ? "is" : "are");
    if (alone > 0)
        text += formatted("  {} on one side only changed nothing there.\n", quantity(alone, "stage"));
    return text;
}

void addOnly(std::string &text, std::string_view what, const sequence::OnlyTexts &only, std::size_t most)
{
    if (only.isEmpty())
        return;
    text += formatted("  {}: {} only in A, {} only in B\n", what, only.a.size(), only.b.size());
    for (const auto &[texts, mark] : {std::pair(&only.a, '-'), std::pair(&only.b, '+')}) {
        for (std::size_t i = 0; i < std::min(texts->size(), most); ++i)
            text += formatted("    {} {}\n", mark, print::elided(firstLine((*texts)[i]), print::maxLine - 6));
        if (texts->size() > most)
            text += formatted("    {} … and {} more (--all)\n", mark, texts->size() - most);
    }
}

std::string timeText(const SequenceComparison &comparison, const ComparedSequence &compared)
{
    const auto phases = phasesOf(comparison, compared);
    const auto text = [](std::optional<double> seconds) { return seconds ? print::secondsText(*seconds) : "?"; };
    return phases.empty() ? ""
                          : formatted("  compile time ({}): {} → {}\n", phases.front().name, text(phases.front().a),
                                      text(phases.front().b));
}

std::string textOf(const SequenceComparison &comparison, const ComparedSequence &compared, bool isWhole)
{
    const sequence::Sequence *a = sideOf(comparison.a, compared.at.a), *b = sideOf(comparison.b, compared.at.b);
    std::string text = (a ? headingOf(*a, comparison.a) : headingOf(*b, comparison.b)) + "\n";
    if (!a || !b)
        return text + (a ? "  only in A\n" : "  only in B\n");
    if (a->compileId != b->compileId || a->function != b->function)
        text += "  in B: " + headingOf(*b, comparison.b) + "\n";
    if (const std::string detail = detailText(comparison, compared); !detail.empty())
        text += "  " + detail + "\n";
    constexpr std::size_t briefGuards = 3;
    text += stepsText(comparison, compared, isWhole);
    addOnly(text, "graph breaks", compared.breaks, compared.breaks.a.size() + compared.breaks.b.size());
    addOnly(text, "compiled again because", compared.reasons, 1);
    addOnly(text, "guards", compared.guards,
            isWhole ? compared.guards.a.size() + compared.guards.b.size() : briefGuards);
    return text + timeText(comparison, compared);
}

/// Returns " 1 compilation is gone (only in A); 2 compilations are new (only in B)."
std::string alonePart(const std::vector<ComparedSequence> &compared)
{
    const auto count = [&](std::optional<std::size_t> sequence::Paired::*missing) {
        return static_cast<std::size_t>(
            std::ranges::count_if(compared, [&](const ComparedSequence &each) { return !(each.at.*missing); }));
    };
    std::vector<std::string> parts;
    for (const auto &[alone, state] : {std::pair(count(&sequence::Paired::b), "gone (only in A)"),
                                       std::pair(count(&sequence::Paired::a), "new (only in B)")})
        if (alone > 0)
            parts.push_back(formatted("{} {} {}", quantity(alone, "compilation"), alone == 1 ? "is" : "are", state));
    return parts.empty() ? "" : formatted(" {}.", joined(parts, "; "));
}

} // namespace

std::string verdictWord(const sequence::Paired &at, Verdict verdict)
{
    if (!at.a || !at.b)
        return at.a ? "only in A" : "only in B";
    return verdict == Verdict::Unknown ? "not known" : std::string(sequence::name(verdict));
}

std::string detailText(const SequenceComparison &comparison, const ComparedSequence &compared)
{
    const sequence::Sequence *a = sideOf(comparison.a, compared.at.a), *b = sideOf(comparison.b, compared.at.b);
    std::vector<std::string> parts;
    if (a && b && !compared.isStatusAlike)
        parts.push_back(formatted("status: {} → {}", sequence::name(a->status), sequence::name(b->status)));
    if (!compared.areBreaksAlike)
        parts.emplace_back("other graph breaks");
    return joined(parts, ", ");
}

std::string stepName(const SequenceComparison &comparison, const ComparedSequence &compared, const ComparedStep &step)
{
    const auto nameIn = [](const sequence::Sequence *sequence, std::optional<std::size_t> at) {
        return sequence && at ? sequence->steps[*at].name : std::string();
    };
    const std::string a = nameIn(sideOf(comparison.a, compared.at.a), step.at.a);
    const std::string b = nameIn(sideOf(comparison.b, compared.at.b), step.at.b);
    if (a.empty() || b.empty() || a == b)
        return sanitized(a.empty() ? b : a);
    return sanitized(a + " / " + b);
}

std::string nodeCountText(const ComparedStep &step)
{
    const auto number = [](std::size_t n) { return grouped(static_cast<long long>(n)); };
    if (!step.at.a || !step.at.b)
        return quantity(step.at.a ? step.nodesA : step.nodesB, "node");
    return step.nodesA == step.nodesB ? quantity(step.nodesA, "node")
                                      : number(step.nodesA) + " → " + quantity(step.nodesB, "node");
}

std::string detailText(const ComparedStep &step)
{
    if (step.verdict != Verdict::Differs || !step.at.a || !step.at.b)
        return sanitized(step.reason);
    const diff::Counts &counts = step.counts;
    std::vector<std::string> parts;
    const auto add = [&](std::size_t n, std::string_view what) {
        if (n > 0)
            parts.push_back(quantity(n, "node") + std::string(what));
    };
    add(counts.changed, " changed");
    add(counts.onlyA + counts.replacedA, " only in A");
    add(counts.onlyB + counts.replacedB, " only in B");
    if (counts.signature > 0)
        parts.emplace_back("other inputs or results");
    if (!step.isLaidOutAlike)
        parts.emplace_back("other strides or devices");
    return parts.empty() ? "written in other operators" : joined(parts, ", ");
}

std::string operatorCountsText(const ComparedStep &step, std::size_t most)
{
    std::vector<std::string> parts;
    for (const sequence::OperatorCount &each : step.operators) {
        if (parts.size() == most) {
            parts.push_back(formatted("{} more", step.operators.size() - most));
            break;
        }
        parts.push_back(formatted("{} {} → {}", sanitized(each.name), each.a, each.b));
    }
    return joined(parts, ", ");
}

std::string idText(const SequenceComparison &comparison, const ComparedSequence &compared)
{
    const sequence::Sequence *a = sideOf(comparison.a, compared.at.a), *b = sideOf(comparison.b, compared.at.b);
    const std::string idA = a ? idText(*a, comparison.a) : "", idB = b ? idText(*b, comparison.b) : "";
    return !a || !b || idA == idB ? (a ? idA : idB) : idA + " / " + idB;
}

std::vector<ComparedPhase> phasesOf(const SequenceComparison &comparison, const ComparedSequence &compared)
{
    std::vector<ComparedPhase> phases;
    const auto add = [&](const sequence::Sequence *sequence, std::optional<double> ComparedPhase::*side) {
        for (const sequence::Phase &phase : sequence ? sequence->phases : std::vector<sequence::Phase>()) {
            auto found = std::ranges::find(phases, phase.name, &ComparedPhase::name);
            if (found == phases.end())
                found = phases.insert(phases.end(), ComparedPhase{phase.name, {}, {}});
            (*found).*side = phase.seconds;
        }
    };
    add(sideOf(comparison.a, compared.at.a), &ComparedPhase::a);
    add(sideOf(comparison.b, compared.at.b), &ComparedPhase::b);
    return phases;
}

std::string verdictText(const SequenceComparison &comparison)
{
    if (comparison.compared.empty())
        return "There is nothing to compare.";
    std::size_t stages = 0, differing = 0, open = 0;
    const ComparedSequence *firstSequence = nullptr;
    for (const ComparedSequence &each : comparison.compared) {
        stages += each.steps.size();
        differing += static_cast<std::size_t>(std::ranges::count(each.steps, Verdict::Differs, &ComparedStep::verdict));
        open += static_cast<std::size_t>(std::ranges::count(each.steps, Verdict::Unknown, &ComparedStep::verdict));
        if (!firstSequence && each.verdict() == Verdict::Differs)
            firstSequence = &each;
    }
    const std::string compilations = quantity(comparison.compared.size(), "compilation");
    if (!firstSequence)
        return open == 0 ? formatted("All {} of {} are the same.", quantity(stages, "stage"), compilations)
                         : formatted("No difference was found in {} of {}; of {} it is not known.",
                                     quantity(stages, "stage"), compilations, open);
    const ComparedStep *first = firstSequence->firstDifference();
    const sequence::Paired &at = firstSequence->at;
    const std::string what = first ? stepName(comparison, *firstSequence, *first)
        : at.a && at.b             ? detailText(comparison, *firstSequence)
                                   : verdictWord(at, Verdict::Differs);
    return formatted("{} of {} in {} {}; first: {}, {}.{}", differing, quantity(stages, "stage"), compilations,
                     differing == 1 ? "differs" : "differ", idText(comparison, *firstSequence), what,
                     alonePart(comparison.compared));
}

std::string comparisonText(const SequenceComparison &comparison, bool isWhole)
{
    std::string text;
    for (const ComparedSequence &each : comparison.compared)
        text += textOf(comparison, each, isWhole) + "\n";
    for (const sequence::Document *side : {&comparison.a, &comparison.b})
        for (const sequence::Diagnostic &diagnostic : side->diagnostics)
            text += diagnosticText(diagnostic) + "\n";
    return text + verdictText(comparison) + "\n";
}

} // namespace cutaway::report
