// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/propagation.h"

#include "core/analysis/known_tensor.h"
#include "core/analysis/propagation/control_flow.h"
#include "core/analysis/propagation/placement.h"
#include "core/analysis/propagation/recorded_names.h"
#include "core/ir/context.h"
#include "core/ir/objects/module_parts.h"
#include "core/ops/compute/derived_elements.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/dim_sum.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/size.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

/// The fact without the sizes and values in it. The file's type tells whether a value is a number or a list; the sizes
/// that it records are not taken for derived ones.
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

ops::Cost unknownCost() { return {ir::UnknownDim{}, ir::UnknownDim{}, ir::UnknownDim{}, ir::UnknownDim{}}; }

bool isOpenNumber(const Fact &fact)
{
    const auto *number = fact.as<ops::NumberFact>();
    return number && number->kind == ops::NumberFact::Kind::Int
        && std::holds_alternative<std::monostate>(number->value);
}

/// Exporters to ONNX record of a branch and of a loop what one run gave; others may give something else.
bool isOneWay(const ir::NodeRef &node) { return node.isOnnx() && !node->regions.empty(); }

/// Whether a tensor of known shape becomes one of another shape.
bool isReshaping(const Fact &held, const Fact &written)
{
    const auto *before = held.as<ops::TensorFact>(), *after = written.as<ops::TensorFact>();
    return before && after && before->shape && before->shape != after->shape;
}

class CostSum {
public:
    void add(const ops::Cost &cost)
    {
        m_flops.add(cost.flops);
        m_otherFlops.add(cost.otherFlops);
        m_bytesRead.add(cost.bytesRead);
        m_bytesWritten.add(cost.bytesWritten);
    }
    ops::Cost total() const
    {
        return {m_flops.total(), m_otherFlops.total(), m_bytesRead.total(), m_bytesWritten.total()};
    }

private:
    ops::DimSum m_flops, m_otherFlops, m_bytesRead, m_bytesWritten;
};

/// Numbers of a file can make sizes that no tensor has.
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

/// The answer of the row's rule to a call, held to the demands of the operator.
ops::Answer answerOf(const ops::Operator &row, const ops::Call &call)
{
    ops::Answer answer = row.shape(call);
    rejectImpossible(answer);
    if (answer.doubt) // what was written to is there also without results, see writeBack()
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
      m_reuse(graph, earlier),
      m_stopped(graph.nodeCount()),
      m_isRecorded(true),
      m_autocasts(inference.accesses),
      m_aliases(inference.accesses),
      m_attributes(inference.accesses, inference.moduleAttributes)
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
    m_isRecorded = false;                                     // there is one record for all calls
    m_autocasts.uncounted() = caller.m_autocasts.uncounted(); // calls are looked at each time
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
    return ops::factOf(*m_inference.model.context, *this, operand);
}

void Propagation::set(ir::ValueId value, Fact fact)
{
    m_shapes.facts[value.index] = std::move(fact);
    m_asMade.erase(value);
    m_tracked.note(value, of(value));
    m_reuse.noteFact(value, of(value));
}

/// Code has written to what lies there: elements that were known are not any more.
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
    m_inference.writes->write(attribute(path), fact, reached);
}

/// A node's results; what no operator has placed lies in new memory.
void Propagation::give(const ir::NodeRef &node, Facts results)
{
    for (std::size_t i = 0; i < std::min(results.size(), node.outputCount()); ++i) {
        // Where a file has a result per tensor of a list, a list of one is that one, known to be one or not.
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
        m_aliases.uncounted().forget(output); // each result is its node's own
        set(output, std::move(result));
    }
}

/// A symbol of the file is one size: where code runs again, other sizes have made-up names.
void Propagation::useRecordedNames(const ir::NodeRef &node, std::uint32_t madeBefore, Facts &results)
{
    if (!m_isRecorded)
        return;
    const auto made = m_inference.symbols.madeSince(madeBefore);
    const bool isNamed = !made.empty() && m_named.contains(node.id());
    RecordedNames names(m_inference.fileSymbols, isNamed ? std::span<const DataSize>() : made,
                        m_inference.record.uncounted().isOfThisCall());
    names.apply(node, results);
    if (names.hasNamed())
        m_named.insert(node.id());
}

/// Adds to `results` what the file records and no rule tells, if the record does not contradict the rule.
void Propagation::complete(const ir::NodeRef &node, Facts &results)
{
    std::optional<bool> isOfThis;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::ValueRef output = node.output(i);
        if (!Record::saysAnything(output.type()))
            continue;
        static const Fact nothing;
        const Fact &known = i < results.size() ? results[i] : nothing;
        if (isWhollyKnown(known, output.type()) && !isOpenNumber(known))
            continue;
        if (!m_isRecorded || isOneWay(node))
            continue;
        const Record &record = *m_inference.record;
        if (!isOfThis)
            isOfThis = record.isOf(node, *this);
        auto found =
            *isOfThis ? record.completed(known, output.type(), m_autocasts.uncounted().isEmpty()) : std::nullopt;
        if (!found)
            continue;
        m_shapes.isRecorded[output.id().index] = true;
        if (auto *tensor = std::get_if<ops::TensorFact>(&found->v); tensor && !m_inference.storages.isKnown(*tensor))
            tensor->storage = ops::StorageNumber::None; // now it is known how much it takes
        results.resize(std::max(results.size(), i + 1));
        results[i] = std::move(*found);
    }
}

Stop::Results Propagation::known(const ir::NodeRef &node) const
{
    bool isRecorded = false;
    for (const ir::ValueRef output : node.outputs()) {
        const Fact &fact = of(output.id());
        bool isKnown = isWhollyKnown(fact, output.type()) && !isOpenNumber(fact);
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            isKnown = isKnown && tensor.dtype && tensor.shape && std::ranges::all_of(*tensor.shape, ops::isKnown);
        });
        if (!isKnown)
            return Stop::Results::Unknown;
        isRecorded = isRecorded || m_shapes.isRecorded[output.id().index];
    }
    return isRecorded ? Stop::Results::Recorded : Stop::Results::Known;
}

void Propagation::setBoundedCost(const ir::NodeRef &node, BoundedCost cost)
{
    if (cost.atLeast)
        m_shapes.bounds.insert_or_assign(node.id(), std::move(*cost.atLeast));
    else
        m_shapes.bounds.erase(node.id());
    setCost(node, std::move(cost.cost));
}

void Propagation::stop(Stop stop)
{
    if (m_stopped[stop.node.index])
        return;
    m_stopped[stop.node.index] = true;
    stop.isReached = m_reached != Reached::Never;
    m_shapes.stops.push_back(std::move(stop));
}

// ---- Nodes in their order

Facts Propagation::run(ir::RegionId region)
{
    m_inference.budget.enterRegion();
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
        if (m_inference.task.stopRequested())
            break;
        if (!m_inference.budget.takeStep()) {
            stop({node, "too many regions, calls or loop iterations"});
            setCost(node, unknownCost());
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
    const bool wasRecorded = std::exchange(m_isRecorded, m_isRecorded && !isOfOneRun);
    const auto &values = m_graph.at(region).inputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        set(values[i], i < inputs.size() ? inputs[i] : Fact());
    const Reached around = std::exchange(m_reached, std::max(m_reached, reached));
    m_shapes.reached[region.index] = std::min(m_shapes.reached[region.index], m_reached);
    Facts results = run(region);
    m_reached = around;
    m_isRecorded = wasRecorded;
    return results;
}

BoundedCost Propagation::costOf(ir::RegionId region) const
{
    CostSum sum;
    bool isExact = true;
    for (const ir::NodeId id : m_graph.at(region).nodes) {
        const ops::Cost &cost = m_shapes.costs[id.index];
        sum.add(cost);
        isExact = isExact && isKnownCost(cost) && (m_shapes.bounds.empty() || !m_shapes.bounds.contains(id));
    }
    if (isExact)
        return {sum.total()};
    CostSum atLeast;
    for (const ir::NodeId id : m_graph.at(region).nodes)
        if (const auto bound = m_shapes.bounds.find(id); bound != m_shapes.bounds.end())
            atLeast.add(bound->second);
        else
            atLeast.add(knownPart(m_shapes.costs[id.index]));
    return {sum.total(), atLeast.total()};
}

void Propagation::visit(const ir::NodeRef &node)
{
    if (isRepeated(node))
        return takeOver(node);
    const Trace::Count before = m_inference.count();
    const std::uint64_t accesses = m_inference.accesses.value();
    ++m_inference.visited;
    const bool isCall = visitCall(node);
    if (!isCall && !visitRegions(node) && !visitAttribute(node))
        visitOperator(node);
    const bool isAlone =
        !isCall && m_inference.accesses.value() == accesses && m_reached == Reached::Certainly && node->regions.empty();
    m_reuse.noteVisit(node, before, m_inference.count(), isAlone);
}

bool Propagation::isRepeated(const ir::NodeRef &node) const
{
    // The access to the autocast contexts is not counted: without any they change nothing, and with some this returns
    // false.
    return m_reached == Reached::Certainly && m_autocasts.uncounted().isEmpty()
        && m_reuse.isRepeated(node, m_inference.count());
}

void Propagation::takeOver(const ir::NodeRef &node)
{
    const Reuse::Found found = m_reuse.takeOver(node);
    m_inference.storages.append(found.storages);
    m_inference.symbols.append(found.symbols);
    setCost(node, found.cost);
    for (const ir::ValueId output : node->outputs) {
        m_aliases.uncounted().forget(output); // as give() does
        set(output, *m_reuse.onlyFactOf(output));
    }
    if (found.stop)
        stop(*found.stop);
    m_shapes.needs.insert(m_shapes.needs.end(), found.needs.begin(), found.needs.end());
}

// ---- Regions

bool Propagation::visitRegions(const ir::NodeRef &node)
{
    if (node->regions.empty())
        return false;
    if (const ops::Operator *row = m_inference.constants.rowOf(node->op); row && row->shape)
        return false; // the rule knows the results although it is unknown how often the regions run
    const std::uint32_t madeBefore = m_inference.symbols.count();
    Outcome outcome = runRegions(node, *this);
    useRecordedNames(node, madeBefore, outcome.results);
    setBoundedCost(node, std::move(outcome.cost));
    give(node, std::move(outcome.results));
    if (!outcome.reason.empty())
        stop({node, std::move(outcome.reason), known(node)});
    for (const auto &[output, value] : outcome.aliases)
        m_aliases->add(output, Aliases::SameAs{value}, *this);
    return true;
}

// ---- Objects

/// A module of a ModuleList or ModuleDict.
bool Propagation::visitItemOfModules(const ir::NodeRef &node)
{
    const Fact modules = of(node->arguments[0].value), index = of(node->arguments[1].value);
    const auto *module = modules.as<ir::ModuleId>();
    if (!module)
        return false;
    const auto *name = index.as<ops::TextFact>();
    const auto size = ops::asInt(index);
    const auto position = size ? ops::number(*size) : std::nullopt;
    const auto child = name ? ir::childOf(m_inference.model, *module, name->text)
        : position          ? ir::childAt(m_inference.model, *module, *position)
                            : std::nullopt;
    if (child)
        give(node, {*child});
    return child.has_value();
}

/// prim::GetAttr and prim::SetAttr: an attribute as it was set last, or as the file has it.
bool Propagation::visitAttribute(const ir::NodeRef &node)
{
    const std::string_view name = node.opName();
    if (ops::kindOf(node) == ops::kind::itemOfModules && node->arguments.size() == 2)
        return visitItemOfModules(node);
    const bool isSet = name == "SetAttr";
    if ((!isSet && name != "GetAttr") || node->arguments.size() < (isSet ? 3 : 2))
        return false;
    const auto *object = node->arguments[0].value.as<ir::ValueId>();
    const auto *text = node->arguments[1].value.as<ir::String>();
    if (const auto *constant = node->arguments[0].value.as<ir::ObjectId>(); constant && text && !isSet) {
        Fact held = m_inference.constants.attribute(*constant, text->text);
        const bool isKnown = !held.as<ops::AnyFact>();
        if (isKnown)
            give(node, {std::move(held)});
        return isKnown;
    }
    if (!object || !text)
        return false;
    const AttributePath path{*object, std::string(m_inference.model.context->text(text->text))};
    if (!isSet)
        return getAttribute(node, path);
    setAttribute(node->arguments[2].value, path);
    return true;
}

/// Whether anything is known of it.
bool Propagation::getAttribute(const ir::NodeRef &node, const AttributePath &path)
{
    const Fact &held = attribute(path);
    if (held.as<ops::AnyFact>())
        return false;
    give(node, {held});
    if (!node->outputs.empty())
        m_aliases->add(node->outputs.front(), path, *this);
    return true;
}

void Propagation::setAttribute(const ir::Operand &operand, const AttributePath &path)
{
    const Fact value = of(operand);
    Fact &held = attribute(path);
    const bool isFirst = held.as<ops::AnyFact>() && !isModule(of(path.object));
    m_inference.writes->write(held, value, m_reached);
    if (isFirst && m_reached != Reached::Never) // there was nothing that it could have been instead
        held = value;
    m_aliases->add(operand, path, *this);
}

/// prim::Enter and prim::Exit of a torch.autocast object, as code has set it up.
void Propagation::visitContext(const ir::NodeRef &node, bool enters)
{
    Autocasts &contexts = *m_autocasts;
    const auto object = node->arguments.empty() ? std::nullopt : ir::valueOf(m_graph, &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    if (!type || !m_inference.model.context->text(type->name).ends_with(".autocast_mode.autocast"))
        return;
    if (!enters)
        return contexts.leave();
    contexts.enter(
        {attribute({*object, "device"}), attribute({*object, "fast_dtype"}), attribute({*object, "_enabled"})});
}

// ---- Operators

void Propagation::visitOperator(const ir::NodeRef &node)
{
    const ops::Operator *row = m_inference.constants.rowOf(node->op);
    const ops::OperatorKind kind = row ? row->traits.kind : ops::OperatorKind();
    if (kind == ops::kind::enterContext || kind == ops::kind::exitContext)
        visitContext(node, kind == ops::kind::enterContext);
    if (!row || !row->shape)
        return visitUnknown(node, row);
    if (m_autocasts.uncounted().isEmpty()) // see isRepeated()
        apply(node, *row, *this);
    else
        applyCast(node, *row);
}

/// An operator without a rule. Many of the known ones act, and give and compute nothing; so does an operator that only
/// runs one that costs nothing.
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
    setCost(node, costsNothing ? ops::Cost{} : unknownCost());
    if (!costsNothing || known(node) == Stop::Results::Unknown)
        stop({node, "no rule for " + node.fullName(), known(node), false, !costsNothing});
}

/// The row's rules, with the arguments as autocast makes them.
void Propagation::applyCast(const ir::NodeRef &node, const ops::Operator &row)
{
    const Autocasts &contexts = *m_autocasts;
    if (row.traits.kind == ops::kind::isAutocastEnabled)
        return give(node, {ops::boolFact()});
    const auto cast = contexts.castOf(node, callOf(node, *this), *this, deviceOf(m_inference.model));
    if (!cast)
        return apply(node, row, *this);
    CastSource source(*this, *cast);
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
        noteNeeds(node, call, results);
        useRecordedNames(node, madeBefore, results);
        complete(node, results);
    }
    placeResults(row, call, m_inference.storages, results);
    const auto same = writeBack(node, row, results);
    const auto own = std::span(results).first(std::min<std::size_t>(results.size(), node->outputs.size()));
    ops::Cost cost = row.cost ? row.cost(call, own) : ops::Cost{};
    MovedBytes moved = movedBytes(node, row.pattern, m_inference.constants.writes(node->op), m_shapes.facts, own);
    if (row.traits.reshapesInPlace && m_inference.constants.writes(node->op))
        moved = {}; // the elements stay where they are
    cost.bytesRead = std::move(moved.read);
    cost.bytesWritten = std::move(moved.written);
    setCost(node, std::move(cost));
    give(node, std::move(results));
    noteUnknown(node, row, doubt);
    addAliases(node);
    if (same)
        m_aliases->add(node->outputs.front(), Aliases::SameAs{*same});
}

/// Notes the needs of a node that certainly runs; a branch that may not be taken has no needs for the function. No size
/// is negative, whatever rule gave it.
void Propagation::noteNeeds(const ir::NodeRef &node, const ops::Call &call, const Facts &results)
{
    if (m_reached != Reached::Certainly)
        return;
    for (const ops::SizeNeed &need : call.needs())
        m_shapes.needs.push_back({node, need});
    const auto noteSize = [&](const ir::Dim &size) {
        const auto *formula = std::get_if<symbolic::Expr>(&size);
        if (formula && formula->range().min < 0 && m_needed.emplace(formula->identity(), *formula).second)
            m_shapes.needs.push_back({node, {ops::SizeNeed::Kind::AtLeast, size, ops::zero}});
    };
    for (const Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (tensor.shape)
                std::ranges::for_each(*tensor.shape, noteSize);
        });
}

/// Rules count no FLOPs only where there are none; other operations are counted by results, which may be missing.
void Propagation::noteUnknown(const ir::NodeRef &node, const ops::Operator &row, const std::optional<ops::Doubt> &doubt)
{
    ops::Cost cost = m_shapes.costs[node.id().index];
    if (doubt) {
        const Stop::Results results = known(node);
        const bool readsKnown = readsOnlyKnown(node);
        const bool isDoubtful = row.cost && (results == Stop::Results::Unknown || !readsKnown);
        if (isDoubtful && ops::number(cost.otherFlops) == 0 && ops::number(cost.flops) == 0)
            cost.otherFlops = ir::UnknownDim{};
        const bool hidesCost = !ops::isKnown(cost.flops) || !ops::isKnown(cost.otherFlops);
        if (results == Stop::Results::Unknown && ops::number(cost.bytesWritten) == 0)
            cost.bytesRead = cost.bytesWritten = ir::UnknownDim{};
        if (!readsKnown && ops::number(cost.bytesWritten) != 0)
            cost.bytesRead = ir::UnknownDim{};
        stop({node, doubt->reason, results, doubt->kind == ops::Doubt::Kind::Wrong, hidesCost});
        setCost(node, std::move(cost));
    } else if (!ops::isKnown(cost.flops) || !ops::isKnown(cost.otherFlops))
        stop({node, readsOnlyKnown(node) ? "number of operations unknown" : "depends on an unknown dimension",
              Stop::Results::Known});
}

bool Propagation::readsOnlyKnown(const ir::NodeRef &node) const
{
    bool isKnown = true;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            isKnown = isKnown && isWhollyKnown(of(value), ir::ValueRef(m_graph, value).type());
        });
    return isKnown;
}

ops::Call Propagation::callOf(const ir::NodeRef &node, ops::FactSource &source) const
{
    return {node, m_inference.constants.signatures(), source, m_inference.opsets.of(node)};
}

/// Writes an operator's result to the argument that it writes to: a list that grew, a tensor that was reshaped. Other
/// tensors keep their shape and dtype. If the only result is the written tensor, returns that tensor. A rule that gives
/// one fact more than there are results means by it the argument that is written to: the list that an item was taken
/// from.
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
