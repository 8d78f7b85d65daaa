// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/propagation.h"

#include "core/analysis/binding.h"
#include "core/analysis/propagation/control_flow.h"
#include "core/analysis/propagation/methods.h"
#include "core/analysis/propagation/placement.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_sum.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/size.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

/// That it is a number or a list is not a claim on a size; what a file records of sizes is not an answer.
Fact kindOnly(Fact fact)
{
    if (fact.as<ops::TensorFact>())
        return ops::TensorFact{};
    if (auto *number = std::get_if<ops::NumberFact>(&fact.v))
        number->value = {};
    else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v))
        std::ranges::transform(list->items, list->items.begin(), kindOnly);
    else if (auto *dict = std::get_if<ops::DictFact>(&fact.v))
        dict->value.front() = kindOnly(std::move(dict->value.front()));
    else if (auto *maybe = std::get_if<ops::MaybeFact>(&fact.v))
        maybe->value.front() = kindOnly(std::move(maybe->value.front()));
    return fact;
}

/// Numbers of a file can make sizes that no tensor has.
void rejectImpossible(const ops::Call &call, Facts &results)
{
    const ir::Shape *negative = nullptr, *tooLarge = nullptr;
    for (const Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (!tensor.shape)
                return;
            const auto isNumber = [](const ir::Dim &dim) { return ops::number(dim).has_value(); };
            if (std::ranges::any_of(*tensor.shape, [](const ir::Dim &dim) { return ops::number(dim).value_or(0) < 0; }))
                negative = &*tensor.shape;
            else if (std::ranges::all_of(*tensor.shape, isNumber) && !ir::elementCount(*tensor.shape))
                tooLarge = &*tensor.shape;
        });
    if (tooLarge)
        call.wrong("a tensor of shape " + ir::print(*tooLarge) + " has more elements than 63 bits count");
    if (negative)
        results = call.wrong("a tensor cannot have the shape " + ir::print(*negative));
}

} // namespace

Propagation::Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier)
    : m_inference(inference),
      m_graph(graph),
      m_source{.fact = [this](ir::ValueId id) -> const Fact & { return of(id); },
               .freshSize = [this](std::string_view hint) { return m_inference.symbols.freshSize(hint); },
               .tensor = [this](ir::TensorId id) { return m_inference.constants.tensor(id); },
               .size = [this](const symbolic::Expr &expr) { return bound(expr, *m_inference.bindings); }},
      m_reuse(graph, earlier),
      m_stopped(graph.nodeCount()),
      m_autocasts(inference.accesses),
      m_aliases(inference.accesses),
      m_attributes(inference.accesses, inference.moduleAttributes)
{
    m_shapes.facts.resize(graph.valueCount());
    m_shapes.costs.resize(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (const auto weight = ir::ValueRef(graph, ir::ValueId{i}).weight()) {
            const Fact *known = m_reuse.onlyFactOf(ir::ValueId{i});
            set(ir::ValueId{i}, known ? *known : m_inference.constants.tensor(*weight));
        }
}

Propagation::Propagation(Propagation &caller, const ir::Graph &graph) : Propagation(caller.m_inference, graph)
{
    m_reached = caller.m_reached;
    *m_autocasts = *caller.m_autocasts;
}

Shapes Propagation::take()
{
    m_shapes.trace = m_reuse.take();
    return std::move(m_shapes);
}

// ---- Values

Fact Propagation::of(const ir::Operand &operand) const
{
    return ops::factOf(*m_inference.model.context, m_source, operand);
}

void Propagation::set(ir::ValueId value, Fact fact)
{
    m_shapes.facts[value.index] = std::move(fact);
    m_reuse.noteFact(value, of(value));
}

void Propagation::write(ir::ValueId value, Fact fact, Reached reached)
{
    if (Fact &held = m_shapes.facts[value.index]; m_inference.writes->write(held, std::move(fact), reached))
        m_reuse.noteFact(value, held);
}

void Propagation::write(const AttributePath &path, const Fact &fact, Reached reached)
{
    m_inference.writes->write(attribute(path), fact, reached);
}

/// A node's results; what no operator has placed lies in new memory.
void Propagation::give(const ir::NodeRef &node, Facts results)
{
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::ValueRef output = node.output(i);
        Fact result = i < results.size() ? std::move(results[i]) : Fact();
        // Where a file has a result per tensor of a list, a list of one is that one.
        const auto *list = result.as<ops::SequenceFact>();
        if (list && !list->length && list->items.size() == 1 && output.tensorType())
            result = Fact(list->items.front());
        if (result.as<ops::AnyFact>() && !output.tensorType())
            result = kindOnly(ops::factOf(*m_inference.model.context, output->type));
        ops::forEachTensor(result, [&](ops::TensorFact &tensor) {
            if (tensor.storage == ops::StorageNumber::None)
                m_inference.storages.allocate(tensor);
        });
        m_aliases.uncounted().forget(output); // each result is its node's own
        set(output, std::move(result));
    }
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
    const auto &values = m_graph.at(region).inputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        set(values[i], i < inputs.size() ? inputs[i] : Fact());
    const Reached around = std::exchange(m_reached, std::max(m_reached, reached));
    Facts results = run(region);
    m_reached = around;
    return results;
}

ops::Cost Propagation::costOf(ir::RegionId region) const
{
    ops::DimSum flops, otherFlops, bytesRead, bytesWritten;
    for (const ir::NodeId id : m_graph.at(region).nodes) {
        const ops::Cost &cost = m_shapes.costs[id.index];
        flops.add(cost.flops);
        otherFlops.add(cost.otherFlops);
        bytesRead.add(cost.bytesRead);
        bytesWritten.add(cost.bytesWritten);
    }
    return {flops.total(), otherFlops.total(), bytesRead.total(), bytesWritten.total()};
}

void Propagation::visit(const ir::NodeRef &node)
{
    if (isRepeated(node))
        return takeOver(node);
    const Trace::Count before = m_inference.count();
    const std::uint64_t accesses = m_inference.accesses.value();
    ++m_inference.visited;
    if (!visitCall(node) && !visitRegions(node) && !visitAttribute(node))
        visitOperator(node);
    const bool isAlone =
        m_inference.accesses.value() == accesses && m_reached == Reached::Certainly && node->regions.empty();
    m_reuse.noteVisit(node, before, m_inference.count(), isAlone);
}

bool Propagation::isRepeated(const ir::NodeRef &node) const
{
    // Not counted: contexts that are none leave a node alone, and others are looked at here each time.
    return m_reached == Reached::Certainly && m_autocasts.uncounted().isEmpty()
        && m_reuse.isRepeated(node, m_inference.count());
}

void Propagation::takeOver(const ir::NodeRef &node)
{
    const Reuse::Found found = m_reuse.takeOver(node);
    m_inference.storages.append(found.storages);
    m_inference.symbols.continueAt(found.symbols);
    costAt(node) = found.cost;
    for (const ir::ValueId output : node->outputs) {
        m_aliases.uncounted().forget(output); // as give() does
        set(output, *m_reuse.onlyFactOf(output));
    }
    if (found.stop)
        stop(*found.stop);
}

// ---- Calls and regions

/// A call of another function of the model: its graph, with these arguments.
bool Propagation::visitCall(const ir::NodeRef &node)
{
    const ir::Function *function = calledFunction(m_inference.model, node, *this);
    if (!function)
        return false;
    if (!m_inference.budget.allowsCall()) {
        stop({node, "calls are nested too deep"});
        return true;
    }
    Propagation inside(*this, function->graph);
    const Passed passed = pass(node, inside);
    Facts results = inside.run();
    costAt(node) = inside.costOf(ir::Graph::body);
    const Shapes found = inside.take();
    const auto missing =
        std::ranges::find_if(found.stops, [](const Stop &inner) { return inner.hidesCost && inner.isReached; });
    if (missing != found.stops.end())
        stop({node, "in " + std::string(m_inference.model.context->text(function->name)) + ": " + missing->reason});
    give(node, std::move(results));
    for (const auto &[value, input] : passed) // what was appended to a list inside
        if (found.of(input) != of(value)) {
            set(value, found.of(input));
            m_inference.writes->noteChange();
            m_aliases->writeThrough(value, m_reached, *this);
        }
    return true;
}

Propagation::Passed Propagation::pass(const ir::NodeRef &call, Propagation &inside) const
{
    Passed passed;
    std::size_t position = 0;
    const auto &inputs = inside.m_graph.at(ir::Graph::body).inputs;
    for (const ir::Argument &argument : call->arguments) {
        const bool isInput = argument.name == ir::NameId{} || m_inference.model.context->text(argument.name) == "self";
        if (!isInput || position >= inputs.size() || argument.value.as<ir::FunctionId>())
            continue;
        if (const auto *value = argument.value.as<ir::ValueId>())
            passed.emplace_back(*value, inputs[position]);
        inside.set(inputs[position++], of(argument.value));
    }
    return passed;
}

bool Propagation::visitRegions(const ir::NodeRef &node)
{
    if (node->regions.empty())
        return false;
    if (const ops::Operator *row = m_inference.constants.rowOf(node->op); row && row->shape)
        return false; // the rule knows the results although it is unknown how often the regions run
    Outcome outcome = runRegions(node, *this);
    costAt(node) = std::move(outcome.cost);
    give(node, std::move(outcome.results));
    for (const auto &[output, value] : outcome.aliases)
        m_aliases->add(output, Aliases::SameAs{value}, *this);
    return true;
}

// ---- Objects

/// prim::GetAttr and prim::SetAttr: an attribute as it was set last, or as the file has it.
bool Propagation::visitAttribute(const ir::NodeRef &node)
{
    const std::string_view name = node.opName();
    const bool isSet = name == "SetAttr";
    if ((!isSet && name != "GetAttr") || node->arguments.size() < (isSet ? 3 : 2))
        return false;
    const auto *object = node->arguments[0].value.as<ir::ValueId>();
    const auto *text = node->arguments[1].value.as<ir::String>();
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
    if (!row || !row->shape) {
        // Many operators act and give nothing.
        if (!node->outputs.empty()) {
            stop({node, "no rule for " + node.fullName()});
            costAt(node).bytesRead = costAt(node).bytesWritten = ir::UnknownDim{};
        }
        return give(node, {});
    }
    if (m_autocasts.uncounted().isEmpty()) // see isRepeated()
        apply(node, *row, m_source);
    else
        applyCast(node, *row);
}

/// The row's rules, with the arguments as autocast makes them.
void Propagation::applyCast(const ir::NodeRef &node, const ops::Operator &row)
{
    const Autocasts &contexts = *m_autocasts;
    if (row.traits.kind == ops::kind::isAutocastEnabled)
        return give(node, {ops::boolFact()});
    const auto cast = contexts.castOf(node, callOf(node, m_source), *this, deviceOf(m_inference.model));
    if (cast)
        apply(node, row, CastSource(m_source, *cast).source());
    else
        apply(node, row, m_source);
}

void Propagation::apply(const ir::NodeRef &node, const ops::Operator &row, const ops::Call::Source &source)
{
    const ops::Call call = callOf(node, source);
    Facts results = row.shape(call);
    rejectImpossible(call, results);
    if (!call.reason().empty())
        stop({node, call.reason(), call.isWrong(), row.cost != nullptr});
    placeResults(row, call, m_inference.storages, results);
    const auto same = writeBack(node, row, results);
    const auto own = std::span(results).first(std::min(results.size(), node->outputs.size()));
    ops::Cost cost = row.cost ? row.cost(call, own) : ops::Cost{};
    MovedBytes moved = movedBytes(node, row.pattern, m_inference.constants.writes(node->op), m_shapes.facts, own);
    cost.bytesRead = std::move(moved.read);
    cost.bytesWritten = std::move(moved.written);
    costAt(node) = std::move(cost);
    give(node, std::move(results));
    addAliases(node);
    if (same)
        m_aliases->add(node->outputs.front(), Aliases::SameAs{*same});
}

ops::Call Propagation::callOf(const ir::NodeRef &node, const ops::Call::Source &source) const
{
    return {node, m_inference.constants.signatures(), source, m_inference.model.opset(node.dialect())};
}

/// What an operator writes to is its result from then on: a list that grew, a tensor that was reshaped. Other tensors
/// keep their shape and dtype, and the result is the tensor, which is what this gives. A rule that gives a fact more
/// than there are results means what is written to by it: the list that an item was taken from.
std::optional<ir::ValueId> Propagation::writeBack(const ir::NodeRef &node, const ops::Operator &row, Facts &results)
{
    if (!m_inference.constants.writes(node->op) || node->arguments.empty() || results.empty())
        return std::nullopt;
    const auto *target = node->arguments[0].value.as<ir::ValueId>();
    if (!target)
        return std::nullopt;
    const auto *tensor = ops::asTensor(of(*target));
    if (tensor && !row.traits.reshapesInPlace) {
        ops::TensorFact same = *tensor;
        same.elements = nullptr;
        if (const auto *result = ops::asTensor(results[0]); result && !same.shape)
            same.shape = result->shape;
        results[0] = same;
    }
    write(*target, results.size() > node->outputs.size() ? results.back() : results[0], m_reached);
    m_aliases->writeThrough(*target, m_reached, *this);
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
