// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Propagation through the functions of the model that a function calls.
#include "core/analysis/calls/methods.h"
#include "core/analysis/memory.h"
#include "core/analysis/propagation/propagation.h"
#include "core/ir/context.h"
#include "core/ir/objects/closed_tuple.h"
#include "core/ir/objects/methods.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cutaway::analysis {

using ops::Fact;
using ops::Facts;

/// The callee's `results` as the call returns them: as one tuple if the call's only output is a tuple.
static Facts closed(const ir::NodeRef &call, Facts results)
{
    if (call.outputCount() != 1 || call.isOnnx())
        return results;
    std::span<const Fact> leaves = results;
    auto whole =
        ir::closedTuple(call.graph().context(), call.output(0)->type, leaves,
                        [](std::vector<Fact> items, ir::TypeId) { return Fact(ops::tupleFact(std::move(items))); });
    return whole && leaves.empty() ? Facts{std::move(*whole)} : std::move(results);
}

/// Returns the first stop at a contradiction, or else the first one that makes the call's cost unknown. Its reason
/// names at most two functions, however deep the calls are: this one and the innermost.
static std::optional<StopInside> stopIn(std::span<const Stop> stops, std::string_view function)
{
    const auto cannotBe = [](const Stop &inner) { return inner.isContradiction && inner.isReached; };
    const auto hides = [](const Stop &inner) { return inner.hidesCost && inner.isReached; };
    const auto wrong = std::ranges::find_if(stops, cannotBe);
    const auto found = wrong == stops.end() ? std::ranges::find_if(stops, hides) : wrong;
    if (found == stops.end())
        return std::nullopt;
    const std::string here = "in " + std::string(function) + ": ";
    if (found->innermost.empty())
        return StopInside{here + found->reason, here + found->reason, found->isContradiction};
    const bool isNext = found->innermost == found->reason;
    return StopInside{here + (isNext ? "" : "… ") + found->innermost, found->innermost, found->isContradiction};
}

/// Propagates through a call of another function: its graph, with these arguments.
bool Propagation::visitCall(const ir::NodeRef &node)
{
    const ir::Function *function = calledFunction(m_inference.model, node, *this);
    if (!function)
        return false;
    const auto leave = [&](std::string reason) {
        give(node, {});
        m_findings.stop({node, std::move(reason)}, m_reached);
        m_findings.setUnknownCost(node);
        return true;
    };
    if (!m_inference.budget.allowsCall())
        return leave("calls are nested too deep");
    const Passed values = passed(node, *function);
    const Call call = callOf(node, *function, values);
    std::optional<CallOutcome> found = m_inference.calls.of(call, m_inference.storages);
    if (!found && !m_inference.budget.takeCall())
        return leave("too many calls");
    CallOutcome outcome = found ? std::move(*found) : walk(call, values);
    m_findings.setBoundedCost(node, std::move(outcome.cost));
    give(node, closed(node, std::move(outcome.results)));
    for (ops::SizeNeed &need : outcome.needs)
        m_shapes.needs.push_back({node, std::move(need)});
    m_shapes.inside.insert_or_assign(node.id(), std::move(outcome.peakInside));
    if (outcome.stop)
        m_findings.stop({.node = node,
                         .reason = std::move(outcome.stop->reason),
                         .results = m_findings.resultsOf(node),
                         .isContradiction = outcome.stop->isContradiction,
                         .innermost = std::move(outcome.stop->innermost)},
                        m_reached);
    return true;
}

/// Propagates facts through the called function's own graph. The function may write to its arguments.
CallOutcome Propagation::walk(const Call &call, const Passed &passed)
{
    const Trace::Count before = m_inference.count();
    const std::uint64_t accesses = m_inference.accesses.value();
    Propagation inside(*this, call.function->graph);
    for (std::size_t i = 0; i < passed.size(); ++i)
        inside.set(passed[i].second, call.inputs[i]);
    inside.m_ruleFacts.setAttributes(call);
    CallOutcome outcome;
    outcome.results = inside.run();
    outcome.cost = inside.costOf(ir::Graph::body);
    const Shapes found = inside.take();
    outcome.peakInside = peakInside(*call.function, found, m_inference.storages.bytes(), before.storages);
    std::ranges::transform(found.needs, std::back_inserter(outcome.needs), &NodeNeed::need);
    outcome.stop = stopIn(found.stops, m_inference.model.context->text(call.function->name));
    for (const auto &[operand, input] : passed) { // the called function may have appended to a list that was passed
        const auto *value = operand->as<ir::ValueId>();
        if (!value || found.of(input) == of(*value))
            continue;
        set(*value, found.of(input));
        m_inference.writes->noteChange();
        m_aliases->writeThrough(*value, m_reached, *this);
        if (const auto *tensor = ops::asTensor(of(*value)))
            forgetElements(tensor->storage);
    }
    // The outcome is not kept if it may depend on more than the inputs: on shared state, or on an autocast context.
    if (m_inference.accesses.value() != accesses || !m_autocasts.uncounted().isEmpty())
        return outcome;
    keepStoragesOf(outcome.results, m_inference.storages, before.storages);
    // Results with new symbols are not kept, since each call makes symbols of its own.
    if (m_inference.symbols.count() == before.symbols)
        m_inference.calls.add(call, outcome, m_inference.storages, before.storages);
    return outcome;
}

Propagation::Passed Propagation::passed(const ir::NodeRef &node, const ir::Function &callee) const
{
    Passed passed;
    const auto &inputs = callee.graph.at(ir::Graph::body).inputs;
    for (const ir::Argument &argument : node->arguments) {
        const bool isInput = argument.name == ir::NameId{} || m_inference.model.context->text(argument.name) == "self";
        if (isInput && passed.size() < inputs.size() && !argument.value.as<ir::FunctionId>())
            passed.emplace_back(&argument.value, inputs[passed.size()]);
    }
    return passed;
}

Call Propagation::callOf(const ir::NodeRef &node, const ir::Function &callee, const Passed &passed) const
{
    Call call{&callee, m_inference.budget.depth(), m_reached, {}, {}};
    for (const auto &[operand, input] : passed)
        call.inputs.push_back(of(*operand));
    for (const ir::Argument &argument : node->arguments)
        if (argument.name != ir::NameId{} && !argument.value.as<ir::FunctionId>())
            call.attributes.emplace_back(argument.name, of(argument.value));
    return call;
}

} // namespace cutaway::analysis
