// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/comparison/comparison.h"

#include "core/analysis/counts.h"
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/sequence/address.h"
#include "core/sequence/facts/guards.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace cutaway::sequence {

namespace {

struct OpenGraph {
    ir::Model model;
    analysis::Analysis analysis;

    diff::Side side() const { return {model, analysis}; }
    const ir::Graph &graph() const { return side().graph(); }
};

Result<OpenGraph> openGraph(const Step &step, const Task &task)
{
    CUTAWAY_TRY(ir::Model model, openStep(step, task));
    if (model.functions.empty())
        return unreadable("it has no graph");
    analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    return OpenGraph{std::move(model), std::move(analysis)};
}

/// Whether no known strides and devices of two values differ. Formulas are not compared, as sizes have other names on
/// the other side.
bool isLaidOutAlike(const ir::ValueRef &a, const ir::ValueRef &b)
{
    const auto *typeA = std::get_if<ir::TensorType>(&a.type()), *typeB = std::get_if<ir::TensorType>(&b.type());
    if (!typeA || !typeB)
        return true;
    if (typeA->device && typeB->device
        && (typeA->device->index != typeB->device->index
            || a.graph().context().text(typeA->device->kind) != b.graph().context().text(typeB->device->kind)))
        return false;
    if (!typeA->strides || !typeB->strides)
        return true;
    const auto isAlike = [](const ir::Dim &one, const ir::Dim &other) {
        const auto *number = std::get_if<std::int64_t>(&one), *otherNumber = std::get_if<std::int64_t>(&other);
        return !number || !otherNumber || *number == *otherNumber;
    };
    return std::ranges::equal(*typeA->strides, *typeB->strides, isAlike);
}

bool isLaidOutAlike(const OpenGraph &a, const OpenGraph &b, const std::vector<diff::Pair> &pairs)
{
    const auto areAlike = [](const auto &valuesA, const auto &valuesB) {
        for (std::size_t i = 0; i < std::min(valuesA.size(), valuesB.size()); ++i)
            if (!isLaidOutAlike(valuesA[i], valuesB[i]))
                return false;
        return true;
    };
    const auto inputs = [](const OpenGraph &each) {
        std::vector<ir::ValueRef> values;
        for (const ir::FunctionInput &input : each.side().function().inputs)
            if (const auto value = ir::valueOf(each.graph(), &input.value))
                values.push_back(*value);
        return values;
    };
    return areAlike(inputs(a), inputs(b)) && std::ranges::all_of(pairs, [&](const diff::Pair &pair) {
               const auto outputsA = ir::NodeRef(a.graph(), pair.a).outputs();
               const auto outputsB = ir::NodeRef(b.graph(), pair.b).outputs();
               return areAlike(outputsA, outputsB);
           });
}

void countOperators(const ir::Graph &graph, std::size_t OperatorCount::*side,
                    std::map<std::string, OperatorCount> &counts)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (!graph.at(id).removed) {
            std::string name = ir::NodeRef(graph, id).fullName();
            OperatorCount &count = counts[name];
            count.name = std::move(name);
            ++(count.*side);
        }
}

std::vector<OperatorCount> operatorsThatDiffer(const ir::Graph &a, const ir::Graph &b)
{
    std::map<std::string, OperatorCount> counts;
    countOperators(a, &OperatorCount::a, counts);
    countOperators(b, &OperatorCount::b, counts);
    std::vector<OperatorCount> differing;
    for (auto &[name, count] : counts)
        if (count.a != count.b)
            differing.push_back(std::move(count));
    return differing;
}

std::string reasonOf(const Step &step, const Error &error)
{
    return formatted("'{}' cannot be read: {}", step.address, error.message);
}

/// Returns the texts that occur on one side more often than on the other, each as many times as it occurs more often.
OnlyTexts onlyOf(std::vector<std::string> a, std::vector<std::string> b)
{
    std::ranges::sort(a);
    std::ranges::sort(b);
    OnlyTexts only;
    std::ranges::set_difference(a, b, std::back_inserter(only.a));
    std::ranges::set_difference(b, a, std::back_inserter(only.b));
    return only;
}

/// Returns the file name of a graph break: the paths of a project differ between machines, its lines between versions.
std::string fileOf(const GraphBreak &broken)
{
    return std::filesystem::path(broken.file.value_or("?")).filename().string();
}

std::vector<std::string> breaksOf(const Sequence &sequence)
{
    std::vector<std::string> texts;
    for (const GraphBreak &each : sequence.graphBreaks)
        texts.push_back(formatted("{}: {}", fileOf(each), each.reason.substr(0, each.reason.find('\n'))));
    return texts;
}

std::vector<std::string> reasonsOf(const Sequence &sequence)
{
    return sequence.recompileReason.empty() ? std::vector<std::string>() : std::vector{sequence.recompileReason};
}

/// Returns the guards without addresses, which differ between processes.
std::vector<std::string> guardTexts(const Sequence &sequence)
{
    std::vector<std::string> texts;
    for (const Guard &guard : guardsOf(sequence))
        texts.push_back(guard.kind + ": " + withoutAddresses(guard.check));
    return texts;
}

class DocumentComparison {
public:
    DocumentComparison(const Document &a, const Document &b, const Task &task) : m_a(a), m_b(b), m_task(task) { }

    std::vector<ComparedSequence> run()
    {
        std::vector<ComparedSequence> compared;
        const auto pairs = pairSequences(m_a, m_b);
        for (const Paired &pair : pairs) {
            m_task.report("comparing the compilations", compared.size(), pairs.size());
            compared.push_back({.at = pair});
            if (pair.a && pair.b)
                compare(m_a.sequences[*pair.a], m_b.sequences[*pair.b], compared.back());
        }
        return compared;
    }

private:
    void compare(const Sequence &a, const Sequence &b, ComparedSequence &compared)
    {
        compared.isStatusAlike = a.status == b.status;
        compared.breaks = onlyOf(breaksOf(a), breaksOf(b));
        compared.areBreaksAlike = std::ranges::equal(a.graphBreaks, b.graphBreaks, {}, fileOf, fileOf);
        compared.reasons = onlyOf(reasonsOf(a), reasonsOf(b));
        compared.guards = onlyOf(guardTexts(a), guardTexts(b));
        for (const Paired &pair : pairSteps(a, b)) {
            if (pair.a && pair.b)
                compared.steps.push_back(pairOf(a.steps[*pair.a], b.steps[*pair.b]));
            else
                compared.steps.push_back(alone(pair.a ? a.steps[*pair.a] : b.steps[*pair.b], pair.a.has_value()));
            compared.steps.back().at = pair;
        }
    }

    /// Returns the comparison for a step that only one side has. Versions of torch write more or fewer graphs of one
    /// compilation, so a graph that is equal to the one before it is no difference.
    static ComparedStep alone(const Step &step, bool isInA)
    {
        ComparedStep only{.at = {}, .verdict = step.changed == false ? Verdict::Same : Verdict::Differs};
        (isInA ? only.nodesA : only.nodesB) = step.outline ? step.outline->nodes : 0;
        return only;
    }

    /// Whether two texts have the same fingerprint, and so the same nodes under the same names.
    static bool isWrittenAlike(const Step &a, const Step &b)
    {
        return a.text && b.text && a.outline && b.outline && a.outline->isWhole && *a.outline == *b.outline;
    }

    ComparedStep pairOf(const Step &a, const Step &b)
    {
        ComparedStep step;
        step.nodesA = a.outline ? a.outline->nodes : 0;
        step.nodesB = b.outline ? b.outline->nodes : 0;
        if (isWrittenAlike(a, b))
            return step;
        step.verdict = Verdict::Unknown;
        if (m_task.stopRequested()) {
            step.reason = "the comparison was stopped";
            return step;
        }
        if ((a.outline && !a.outline->isWhole) || (b.outline && !b.outline->isWhole)) {
            step.reason = "the text of a graph ends before its results";
            return step;
        }
        const auto graphA = openGraph(a, m_task), graphB = openGraph(b, m_task);
        if (!graphA || !graphB)
            step.reason = graphA ? reasonOf(b, graphB.error()) : reasonOf(a, graphA.error());
        else // printed graphs have no elements of weights that could differ
            compare(*graphA, *graphB, a.text && b.text, step);
        return step;
    }

    static void compare(const OpenGraph &a, const OpenGraph &b, bool isWithoutWeights, ComparedStep &step)
    {
        step.nodesA = static_cast<std::size_t>(analysis::countNodes(a.graph()));
        step.nodesB = static_cast<std::size_t>(analysis::countNodes(b.graph()));
        step.operators = operatorsThatDiffer(a.graph(), b.graph());
        const diff::Difference difference = diff::compare(a.side(), b.side());
        step.counts = difference.counts();
        step.isLaidOutAlike = isLaidOutAlike(a, b, difference.pairs);
        const bool isOther = !difference.isEqual() || !difference.isExact || !step.operators.empty()
            || step.nodesA != step.nodesB || !step.isLaidOutAlike;
        if (isOther)
            step.verdict = Verdict::Differs;
        else if (!difference.isProven())
            step.reason = difference.notProven.front().reason;
        else if (!isWithoutWeights && !difference.isComplete())
            step.reason = difference.notCompared.front().reason;
        else
            step.verdict = Verdict::Same;
    }

    const Document &m_a, &m_b;
    const Task &m_task;
};

Verdict worse(Verdict a, Verdict b)
{
    if (a == Verdict::Differs || b == Verdict::Differs)
        return Verdict::Differs;
    return a == Verdict::Unknown || b == Verdict::Unknown ? Verdict::Unknown : Verdict::Same;
}

} // namespace

std::string_view name(Verdict verdict)
{
    constexpr std::array<std::string_view, 3> names{"same", "differs", "unknown"};
    return names[std::to_underlying(verdict)];
}

Verdict ComparedSequence::verdict() const
{
    Verdict verdict = at.a && at.b && isStatusAlike && areBreaksAlike ? Verdict::Same : Verdict::Differs;
    for (const ComparedStep &step : steps)
        verdict = worse(verdict, step.verdict);
    return verdict;
}

const ComparedStep *ComparedSequence::firstDifference() const
{
    const auto found = std::ranges::find(steps, Verdict::Differs, &ComparedStep::verdict);
    return found == steps.end() ? nullptr : &*found;
}

std::vector<ComparedSequence> compare(const Document &a, const Document &b, const Task &task)
{
    return DocumentComparison(a, b, task).run();
}

Verdict verdictOf(const std::vector<ComparedSequence> &compared)
{
    Verdict verdict = compared.empty() ? Verdict::Unknown : Verdict::Same;
    for (const ComparedSequence &each : compared)
        verdict = worse(verdict, each.verdict());
    return verdict;
}

} // namespace cutaway::sequence
