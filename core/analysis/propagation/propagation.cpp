// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/propagation.h"

#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/placement.h"
#include "core/ir/context.h"
#include "core/ops/compute/derived_elements.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/size.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

/// Returns the fact without its sizes and values: that a value is a number or a list is known from the declared type,
/// but the sizes in that type do not count as derived.
Fact kindOnly(Fact fact)
{
    if (fact.as<ops::TensorFact>())
        return ops::TensorFact{};
    if (auto *number = std::get_if<ops::NumberFact>(&fact.v))
        number->value = {};
    else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v))
        std::ranges::transform(list->each(), list->each().begin(), kindOnly);
    else if (auto *dict = std::get_if<ops::DictFact>(&fact.v))
        *dict = ops::dictOfAny(kindOnly(ops::anyValue(*dict)));
    else if (auto *maybe = std::get_if<ops::MaybeFact>(&fact.v))
        maybe->value.front() = kindOnly(std::move(maybe->value.front()));
    return fact;
}

/// Whether writing `written` gives a tensor of known shape another shape.
bool isReshaping(const Fact &held, const Fact &written)
{
    const auto *before = held.as<ops::TensorFact>(), *after = written.as<ops::TensorFact>();
    return before && after && before->shape && before->shape != after->shape;
}

/// Makes the answer a contradiction if a result has a size that no tensor has: a file may hold any numbers.
void rejectImpossible(ops::Answer &answer)
{
    const ir::Shape *negative = nullptr, *tooLarge = nullptr;
    for (const Fact &result : answer.facts)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (!tensor.shape)
                return;
            const auto isNumber = [](const ir::Dim &dim) { return ops::number(dim).has_value(); };
            if (std::ranges::any_of(*tensor.shape, [](const ir::Dim &dim) { return ops::number(dim).value_or(0) < 0; }))
                negative = &*tensor.shape;
            else if (std::ranges::all_of(*tensor.shape, isNumber) && !ir::elementCount(*tensor.shape))
                tooLarge = &*tensor.shape;
        });
    if (negative)
        answer = ops::wrong("a tensor cannot have the shape " + ir::print(*negative));
    else if (tooLarge)
        answer.doubt =
            ops::wrong("a tensor of shape " + ir::print(*tooLarge) + " has more elements than 63 bits count").error();
}

/// Returns the answer of the row's rule to a call, checked against what the operator demands of its arguments.
ops::Answer answerOf(const ops::Operator &row, const ops::Call &call)
{
    ops::Answer answer = row.shape(call);
    rejectImpossible(answer);
    if (answer.doubt) // a fact behind those of the results is kept: see writeBack()
        answer.facts.resize(std::max(answer.facts.size(), call.resultCount()));
    if (answer.isWrong())
        return answer;
    if (auto met = ops::demand::check(call, row.traits.demand); !met)
        answer.doubt = std::move(met).error();
    return answer;
}

} // namespace

Propagation::Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier)
    : m_inference(inference),
      m_graph(graph),
      m_ruleFacts(inference, m_shapes),
      m_findings(m_shapes, graph),
      m_recorded(inference, m_shapes),
      m_reuse(graph, earlier),
      m_autocasts(inference.accesses),
      m_aliases(inference.accesses),
      m_objects(inference, m_aliases)
{
    m_shapes.facts.resize(graph.valueCount());
    m_shapes.isRecorded.resize(graph.valueCount());
    m_shapes.costs = ops::NodeCosts(graph.nodeCount());
    m_shapes.reached.resize(graph.regionCount(), Reached::Never);
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (const auto weight = ir::ValueRef(graph, ir::ValueId{i}).weight()) {
            const Fact *known = m_reuse.onlyFactOf(ir::ValueId{i});
            set(ir::ValueId{i}, known ? *known : m_inference.constants.tensor(*weight));
        }
}

Propagation::Propagation(Propagation &caller, const ir::Graph &graph) : Propagation(caller.m_inference, graph)
{
    m_reached = caller.m_reached;
    m_recorded.use(false);                                    // the file records one type for all calls of the function
    m_autocasts.uncounted() = caller.m_autocasts.uncounted(); // not counted, since calls are visited each time anyway
}

Shapes Propagation::take()
{
    for (auto &[value, made] : m_asMade)
        m_shapes.reshaped.emplace(value, std::exchange(m_shapes.facts[value.index], std::move(made)));
    m_shapes.trace = m_reuse.take();
    return std::move(m_shapes);
}

// ---- Values

Fact Propagation::of(const ir::Operand &operand) const
{
    return ops::factOf(*m_inference.model.context, m_ruleFacts, operand);
}

void Propagation::set(ir::ValueId value, Fact fact)
{
    m_shapes.facts[value.index] = std::move(fact);
    m_asMade.erase(value);
    m_tracked.note(value, of(value));
    m_reuse.noteFact(value, of(value));
}

/// Forgets the elements of tensors in this storage, which code has written to.
void Propagation::forgetElements(ops::StorageNumber storage)
{
    if (m_reached == Reached::Never)
        return;
    for (const ir::ValueId value : m_tracked.take(storage)) {
        Fact &held = m_shapes.facts[value.index];
        bool isChanged = false;
        ops::forEachTensor(held, [&](ops::TensorFact &tensor) {
            isChanged = isChanged || (tensor.storage == storage && tensor.elements);
            if (tensor.storage == storage)
                tensor.elements = nullptr;
        });
        if (!isChanged)
            continue;
        m_inference.writes->noteChange();
        m_reuse.noteFact(value, held);
    }
}

void Propagation::write(ir::ValueId value, Fact fact, Reached reached)
{
    Fact &held = m_shapes.facts[value.index];
    if (reached != Reached::Never && isReshaping(held, fact))
        m_asMade.try_emplace(value, held);
    if (m_inference.writes->write(held, std::move(fact), reached))
        m_reuse.noteFact(value, held);
}

void Propagation::write(const AttributePath &path, const Fact &fact, Reached reached)
{
    m_inference.writes->write(m_objects.attribute(path, *this), fact, reached);
}

void Propagation::give(const ir::NodeRef &node, Facts results)
{
    for (std::size_t i = 0; i < std::min(results.size(), node.outputCount()); ++i) {
        // If a file has a result for each tensor of a list, a list of one tensor is that result.
        const auto *list = results[i].as<ops::SequenceFact>();
        if (list && list->each().size() == 1 && node.output(i).tensorType())
            results[i] = Fact(list->each().front());
    }
    complete(node, results);
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::ValueRef output = node.output(i);
        Fact result = i < results.size() ? std::move(results[i]) : Fact();
        if (result.as<ops::AnyFact>() && !output.tensorType())
            result = kindOnly(ops::factOf(*m_inference.model.context, output->type));
        ops::forEachTensor(result, [&](ops::TensorFact &tensor) {
            if (tensor.storage == ops::StorageNumber::None)
                m_inference.storages.allocate(tensor);
            tensor.shape = m_inference.shapes.shared(std::move(tensor.shape));
        });
        m_aliases.uncounted().forget(output); // each result is a new value, not an alias
        set(output, std::move(result));
    }
}

void Propagation::complete(const ir::NodeRef &node, Facts &results)
{
    m_recorded.complete(node, results, *this, m_autocasts.uncounted().isEmpty());
}

// ---- Nodes in their order

Facts Propagation::run(ir::RegionId region)
{
    m_inference.budget.enterRegion();
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
        if (m_inference.task.stopRequested())
            break;
        if (!m_inference.budget.takeStep()) {
            m_findings.stop({node, "too many regions, calls or loop iterations"}, m_reached);
            m_findings.setUnknownCost(node);
            break;
        }
        visit(node);
    }
    m_inference.budget.leaveRegion();
    Facts results;
    for (const ir::Operand &output : m_graph.at(region).outputs)
        results.push_back(of(output));
    return results;
}

Facts Propagation::enter(ir::RegionId region, std::span<const Fact> inputs, Reached reached)
{
    const ir::NodeRef owner(m_graph, *m_graph.at(region).owner);
    const ops::Operator *row = m_inference.constants.rowOf(owner->op);
    const bool isOfOneRun = isOneWay(owner) && row && row->traits.repeatsRegions;
    const bool wasRecorded = m_recorded.use(m_recorded.isUsed() && !isOfOneRun);
    const auto &values = m_graph.at(region).inputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        set(values[i], i < inputs.size() ? inputs[i] : Fact());
    const Reached around = std::exchange(m_reached, std::max(m_reached, reached));
    m_shapes.reached[region.index] = std::min(m_shapes.reached[region.index], m_reached);
    Facts results = run(region);
    m_reached = around;
    m_recorded.use(wasRecorded);
    return results;
}

void Propagation::visit(const ir::NodeRef &node)
{
    if (isRepeated(node))
        return takeOver(node);
    const Trace::Count before = m_inference.count();
    const std::uint64_t accesses = m_inference.accesses.value();
    ++m_inference.visited;
    const bool isCall = visitCall(node);
    if (!isCall && !visitRegions(node) && !visitObject(node))
        visitOperator(node);
    const bool isAlone =
        !isCall && m_inference.accesses.value() == accesses && m_reached == Reached::Certainly && node->regions.empty();
    m_reuse.noteVisit(node, before, m_inference.count(), isAlone);
}

bool Propagation::isRepeated(const ir::NodeRef &node) const
{
    // The access to the autocast contexts is not counted: without contexts nothing depends on them, and in a context
    // this returns false.
    return m_reached == Reached::Certainly && m_autocasts.uncounted().isEmpty()
        && m_reuse.isRepeated(node, m_inference.count());
}

void Propagation::takeOver(const ir::NodeRef &node)
{
    const Reuse::Found found = m_reuse.takeOver(node);
    m_inference.storages.append(found.storages);
    m_inference.symbols.append(found.symbols);
    m_findings.setCost(node, found.cost);
    for (const ir::ValueId output : node->outputs) {
        m_aliases.uncounted().forget(output); // the results are new values, as in give(), and so have no holders
        set(output, *m_reuse.onlyFactOf(output));
    }
    if (found.stop)
        m_findings.stop(*found.stop, m_reached);
    m_shapes.needs.insert(m_shapes.needs.end(), found.needs.begin(), found.needs.end());
}

// ---- Regions

bool Propagation::visitRegions(const ir::NodeRef &node)
{
    if (node->regions.empty())
        return false;
    if (const ops::Operator *row = m_inference.constants.rowOf(node->op); row && row->shape)
        return false; // the rule knows the results although the number of iterations is unknown
    const std::uint32_t madeBefore = m_inference.symbols.count();
    Outcome outcome = runRegions(node, *this);
    m_recorded.useNames(node, madeBefore, outcome.results);
    m_findings.setBoundedCost(node, std::move(outcome.cost));
    give(node, std::move(outcome.results));
    if (!outcome.reason.empty())
        m_findings.stop({node, std::move(outcome.reason), m_findings.resultsOf(node)}, m_reached);
    for (const auto &[output, value] : outcome.aliases)
        m_aliases->add(output, Aliases::SameAs{value}, *this);
    return true;
}

// ---- Objects

bool Propagation::visitObject(const ir::NodeRef &node)
{
    const ops::Operator *row = m_inference.constants.rowOf(node->op);
    const ops::OperatorKind kind = row ? row->traits.kind : ops::OperatorKind();
    if (kind == ops::kind::setAttribute)
        return m_objects.set(node, *this);
    const auto read = kind == ops::kind::getAttribute ? m_objects.get(node, *this)
        : kind == ops::kind::itemOfModules            ? m_objects.itemOfModules(node, *this)
                                                      : std::nullopt;
    if (!read)
        return false;
    give(node, {read->fact});
    if (read->holder && !node->outputs.empty())
        m_aliases->add(node->outputs.front(), *read->holder, *this);
    return true;
}

// ---- Operators

void Propagation::visitOperator(const ir::NodeRef &node)
{
    const ops::Operator *row = m_inference.constants.rowOf(node->op);
    const ops::OperatorKind kind = row ? row->traits.kind : ops::OperatorKind();
    if (kind == ops::kind::enterContext || kind == ops::kind::exitContext)
        m_objects.visitContext(node, kind == ops::kind::enterContext, *m_autocasts, *this);
    if (!row || !row->shape)
        return visitUnknown(node, row);
    if (m_autocasts.uncounted().isEmpty()) // see isRepeated()
        apply(node, *row, m_ruleFacts);
    else
        applyCast(node, *row);
}

/// Visits an operator without a rule. Many of the known ones have an effect only, and neither results nor cost; the
/// same is true of an operator that only runs another one that costs nothing.
void Propagation::visitUnknown(const ir::NodeRef &node, const ops::Operator *row)
{
    give(node, {});
    const bool givesNothing =
        std::ranges::all_of(node->outputs, [this](ir::ValueId output) { return of(output).as<ops::NoneFact>(); });
    const bool isAction = givesNothing && (row || ops::isKnownDialect(node.dialect()));
    const auto run = std::ranges::find_if(
        node->arguments, [](const ir::Argument &argument) { return argument.value.as<ir::OpId>() != nullptr; });
    const ops::Operator *inner =
        run == node->arguments.end() ? nullptr : m_inference.constants.rowOf(*run->value.as<ir::OpId>());
    const bool costsNothing = isAction || (inner && !inner->cost);
    if (costsNothing)
        m_findings.setCost(node, {});
    else
        m_findings.setUnknownCost(node);
    const Stop::Results known = m_findings.resultsOf(node);
    if (!costsNothing || known == Stop::Results::Unknown)
        m_findings.stop({node, "no rule for " + node.fullName(), known, false, !costsNothing}, m_reached);
}

/// Applies the row's rules to the arguments as autocast converts them.
void Propagation::applyCast(const ir::NodeRef &node, const ops::Operator &row)
{
    const Autocasts &contexts = *m_autocasts;
    if (row.traits.kind == ops::kind::isAutocastEnabled)
        return give(node, {ops::boolFact()});
    const auto cast = contexts.castOf(node, callOf(node, m_ruleFacts), *this, deviceOf(m_inference.model));
    if (!cast)
        return apply(node, row, m_ruleFacts);
    CastSource source(m_ruleFacts, *cast);
    apply(node, row, source);
}

void Propagation::apply(const ir::NodeRef &node, const ops::Operator &row, ops::FactSource &source)
{
    const ops::Call call = callOf(node, source);
    const std::uint32_t madeBefore = m_inference.symbols.count();
    auto [results, doubt] = answerOf(row, call);
    const bool isWrong = doubt && doubt->kind == ops::Doubt::Kind::Wrong;
    compute::deriveElements(node, row, m_inference.constants.signatures().of(node->op), call, source, results);
    if (!isWrong) {
        if (m_reached == Reached::Certainly)
            m_findings.noteNeeds(node, call.needs(), results);
        m_recorded.useNames(node, madeBefore, results);
        complete(node, results);
    }
    placeResults(row, call, m_inference.storages, results);
    const auto same = writeBack(node, row, results);
    const auto own = std::span(results).first(std::min<std::size_t>(results.size(), node->outputs.size()));
    ops::Cost cost = row.cost ? row.cost(call, own) : ops::Cost{};
    MovedBytes moved = movedBytes(node, row.pattern, m_inference.constants.writes(node->op), m_shapes.facts, own);
    if (row.traits.reshapesInPlace && m_inference.constants.writes(node->op))
        moved = {}; // the node changes the tensor's shape and no elements
    cost.bytesRead = std::move(moved.read);
    cost.bytesWritten = std::move(moved.written);
    m_findings.setCost(node, std::move(cost));
    give(node, std::move(results));
    m_findings.noteUnknown(node, row, doubt, m_reached);
    addAliases(node);
    if (same)
        m_aliases->add(node->outputs.front(), Aliases::SameAs{*same});
}

ops::Call Propagation::callOf(const ir::NodeRef &node, ops::FactSource &source) const
{
    return {node, m_inference.constants.signatures(), source, m_inference.opsets.of(node)};
}

std::optional<ir::ValueId> Propagation::writeBack(const ir::NodeRef &node, const ops::Operator &row, Facts &results)
{
    if (!m_inference.constants.writes(node->op) || node->arguments.empty() || results.empty())
        return std::nullopt;
    const auto *target = node->arguments[0].value.as<ir::ValueId>();
    if (!target)
        return std::nullopt;
    const auto *tensor = ops::asTensor(of(*target));
    const ops::StorageNumber storage = tensor ? tensor->storage : ops::StorageNumber::None;
    if (tensor && !row.traits.reshapesInPlace) {
        ops::TensorFact same = *tensor;
        same.elements = nullptr;
        if (const auto *result = ops::asTensor(results[0]); result && !same.shape)
            same.shape = result->shape;
        results[0] = same;
    }
    write(*target, results.size() > node->outputs.size() ? results.back() : results[0], m_reached);
    m_aliases->writeThrough(*target, m_reached, *this);
    forgetElements(storage);
    return tensor && node->outputs.size() == 1 ? std::optional(*target) : std::nullopt;
}

void Propagation::addAliases(const ir::NodeRef &node)
{
    const auto isListOrDict = [this](const ir::Operand &operand) {
        const auto *value = operand.as<ir::ValueId>();
        return value && isContainer(of(*value));
    };
    if (std::ranges::any_of(node->outputs, isListOrDict)
        || std::ranges::any_of(node->arguments, isListOrDict, &ir::Argument::value))
        m_aliases->addOf(node, *this);
}

} // namespace cutaway::analysis
