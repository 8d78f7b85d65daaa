// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"
#include "core/ops/facts/dim_sum.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>
#include <utility>

// Facts at control flow. A branch that is known to be taken decides the results alone; otherwise they are what both
// sides agree on, but for a side that ends in an exception. A loop is walked turn by turn as long as it is known
// whether another one follows, if there are few. Any other is walked until what it carries stops changing: each turn
// joins what the one before found, sizes that differ become unknown, and so it ends after a few.

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

constexpr std::int64_t unrolledTurns = 64;
constexpr int joiningTurns = 8;

/// The place of an axis, -1 being the last; nothing if the tensor does not have it.
std::optional<std::size_t> place(const ops::TensorFact *tensor, std::int64_t axis, std::size_t added)
{
    return tensor && tensor->shape ? ops::dimension(axis, tensor->shape->size() + added) : std::nullopt;
}

/// One slice of the tensor.
Fact withoutAxis(const Fact &fact, std::int64_t axis)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = place(tensor, axis, 0);
    if (!at)
        return tensor ? Fact(ops::tensorFact(tensor->dtype)) : Fact();
    ir::Shape shape = *tensor->shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*at));
    return ops::tensorFact(tensor->dtype, std::move(shape));
}

/// So many slices like this stacked.
Fact withAxis(const Fact &fact, std::int64_t axis, const ir::Dim &size)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = place(tensor, axis, 1);
    if (!at)
        return tensor ? Fact(ops::tensorFact(tensor->dtype)) : Fact();
    ir::Shape shape = *tensor->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), size);
    return ops::tensorFact(tensor->dtype, std::move(shape));
}

ir::Dim sizeAt(const Fact &fact, std::int64_t axis)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = place(tensor, axis, 0);
    return at ? (*tensor->shape)[*at] : ir::Dim(ir::UnknownDim{});
}

ir::Dim firstSize(const Fact &fact) { return sizeAt(fact, 0); }

void append(Facts &facts, const Fact &fact)
{
    const auto *list = fact.as<ops::SequenceFact>();
    if (!list || list->length) {
        facts.push_back(fact);
        return;
    }
    for (const Fact &item : list->items)
        facts.push_back(item);
}

/// `a` if the choice is one, `b` if it is zero.
ir::Dim eitherSize(const ir::Dim &choice, const ir::Dim &a, const ir::Dim &b)
{
    if (a == b)
        return a;
    if (const auto known = ops::number(choice))
        return *known != 0 ? a : b;
    return ops::plus(b, ops::times(ops::minus(a, b), choice));
}

/// Truths that follow a choice are it, or its opposite.
Fact eitherOf(const ir::Dim &choice, const Fact &a, const Fact &b, Fact joined)
{
    const auto *x = a.as<ops::NumberFact>(), *y = b.as<ops::NumberFact>();
    const bool *first = x ? std::get_if<bool>(&x->value) : nullptr,
               *second = y ? std::get_if<bool>(&y->value) : nullptr;
    if (!first || !second || *first == *second || !ops::isKnown(choice))
        return joined;
    return ops::NumberFact{ops::NumberFact::Kind::Bool, *first ? choice : ops::minus(std::int64_t{1}, choice)};
}

bool canBeNone(const ir::Type &type)
{
    using Compound = ir::CompoundType::Kind;
    using Plain = ir::PlainType::Kind;
    if (const auto *compound = std::get_if<ir::CompoundType>(&type))
        return compound->kind == Compound::Optional || compound->kind == Compound::Union;
    if (const auto *plain = std::get_if<ir::PlainType>(&type))
        return plain->kind == Plain::Any || plain->kind == Plain::None;
    return std::holds_alternative<ir::UnknownType>(type);
}

} // namespace

bool Propagation::raises(ir::RegionId region) const
{
    return std::ranges::any_of(ir::nodesOf(m_graph, region),
                               [](const ir::NodeRef &node) { return node.opName() == "RaiseException"; });
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

Facts Propagation::enter(ir::RegionId region, std::span<const Fact> inputs)
{
    const auto &values = m_graph.at(region).inputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        set(values[i], i < inputs.size() ? inputs[i] : Fact());
    return run(region);
}

/// In code that may not run what is done to lists and tensors outside is done perhaps.
Facts Propagation::enterIf(Runs runs, ir::RegionId region, std::span<const Fact> inputs)
{
    const Runs around = std::exchange(m_runs, std::max(m_runs, runs));
    Facts results = enter(region, inputs);
    m_runs = around;
    return results;
}

/// Arguments by position, lists opened.
Facts Propagation::argumentsFrom(const ir::NodeRef &node, std::size_t first) const
{
    Facts facts;
    for (std::size_t i = first; i < node->arguments.size(); ++i)
        append(facts, of(node->arguments[i].value));
    return facts;
}

bool Propagation::visitRegions(const ir::NodeRef &node)
{
    if (node->regions.empty())
        return false;
    if (const ops::Operator *row = m_inference.rowOf(node->op); row && row->shape)
        return false; // the rule knows what comes of regions that run nobody knows how often
    const std::string_view name = node.opName();
    const auto argument = [&](std::size_t i) {
        return i < node->arguments.size() ? of(node->arguments[i].value) : Fact();
    };
    if (name == "If" || name == "cond")
        branch(node, ops::asBool(argument(0)), argumentsFrom(node, 1));
    else if (name == "Loop") {
        Loop turns{.region = node->regions[0],
                   .trips = ops::asInt(argument(0)),
                   .start = ops::asBool(argument(1)),
                   .carried = {},
                   .hasCondition = node.dialect() == "onnx",
                   .isCounted = !argument(0).as<ops::NoneFact>()};
        if (argument(1).as<ops::NoneFact>())
            turns.start = true;
        for (std::size_t i = 2; i < node->arguments.size(); ++i)
            turns.carried.push_back(argument(i));
        loop(node, std::move(turns));
    } else if (name == "while_loop")
        whileLoop(node);
    else if (name == "Scan" || name == "scan" || name == "associative_scan")
        scan(node);
    else if (name == "map_impl" || name == "map")
        map(node);
    else if (name == "SequenceMap")
        mapSequences(node);
    else
        inner(node);
    return true;
}

/// An output that is `a` on one way and `b` on another. None for what cannot be None is a name that has no value on
/// that way and is not read behind it.
Fact Propagation::joined(const ir::NodeRef &node, std::size_t output, const Fact &a, const Fact &b) const
{
    const bool isA = a.as<ops::NoneFact>(), isB = b.as<ops::NoneFact>();
    if (isA == isB || output >= node.outputCount() || canBeNone(node.output(output).type()))
        return ops::join(a, b);
    return isA ? b : a;
}

/// Whether the first branch is taken, as a size: one or zero, or a symbol that the condition's value is from then on.
/// So what is taken together with a branch, or in its place, is counted once.
ir::Dim Propagation::choiceOf(const ir::NodeRef &node, std::optional<bool> taken)
{
    if (taken)
        return std::int64_t{*taken};
    const auto *condition = node->arguments.empty() ? nullptr : node->arguments[0].value.as<ir::ValueId>();
    const auto *truth = condition ? of(*condition).as<ops::NumberFact>() : nullptr;
    if (!truth || truth->kind != ops::NumberFact::Kind::Bool)
        return ir::UnknownDim{};
    if (const auto *known = std::get_if<ir::Dim>(&truth->value))
        return *known;
    const ir::Dim choice = m_inference.freshChoice();
    set(*condition, ops::NumberFact{ops::NumberFact::Kind::Bool, choice});
    return choice;
}

void Propagation::branch(const ir::NodeRef &node, std::optional<bool> taken, Facts arguments)
{
    if (node->regions.size() < 2)
        return inner(node);
    if (!taken && raises(node->regions[0]) != raises(node->regions[1]))
        taken = raises(node->regions[1]);
    const ir::Dim choice = choiceOf(node, taken);
    const auto side = [&](bool isThen) {
        const Runs runs = !taken ? Runs::Perhaps : *taken == isThen ? Runs::Surely : Runs::Never;
        return enterIf(runs, node->regions[isThen ? 0 : 1], arguments);
    };
    const Facts then = side(true);
    const Facts orElse = side(false);
    Facts results;
    for (std::size_t i = 0; i < node->outputs.size() && i < then.size() && i < orElse.size(); ++i)
        results.push_back(taken ? (*taken ? then[i] : orElse[i])
                                : eitherOf(choice, then[i], orElse[i], joined(node, i, then[i], orElse[i])));
    const ops::Cost a = costOf(node->regions[0]);
    const ops::Cost b = costOf(node->regions[1]);
    m_shapes.costs[node.id().index] = {
        eitherSize(choice, a.flops, b.flops), eitherSize(choice, a.otherFlops, b.otherFlops),
        eitherSize(choice, a.bytesRead, b.bytesRead), eitherSize(choice, a.bytesWritten, b.bytesWritten)};
    give(node, std::move(results));
    for (const bool isThen : {true, false})
        if (!taken || *taken == isThen)
            for (std::size_t i = 0; i < node->outputs.size(); ++i)
                if (const ir::Region &region = node.region(isThen ? 0 : 1); i < region.outputs.size())
                    if (const auto *given = region.outputs[i].as<ir::ValueId>())
                        alias(node->outputs[i], Same{*given});
}

/// Region: (counter, [condition,] carried…) -> (condition, carried…, scanned…). ONNX stacks what is scanned.
void Propagation::loop(const ir::NodeRef &node, Loop turns)
{
    const std::size_t count = turns.carried.size();
    const auto limit = turns.trips ? ops::number(*turns.trips) : std::nullopt;
    // Whether each turn that was walked goes on to the next: how often it runs is decided by the count alone.
    bool runsAll = turns.isCounted && turns.start == true;
    const auto turn = [&](Runs runs, const Fact &counter) {
        std::vector<Fact> inputs{counter};
        if (turns.hasCondition)
            inputs.emplace_back(ops::scalarTensor(ir::DType::Bool, std::int64_t{1})); // or it would not run
        inputs.insert(inputs.end(), turns.carried.begin(), turns.carried.end());
        return enterIf(runs, turns.region, inputs);
    };
    const auto counterAt = [&](const ir::Dim &i) {
        return turns.hasCondition ? Fact(ops::scalarTensor(ir::DType::Int64, i)) : Fact(ops::intFact(i));
    };
    Facts scanned;
    ops::Cost cost; // each turn's own: their sizes differ
    std::int64_t done = 0;
    const bool isWalked = m_runs != Runs::Never; // turn by turn: what never runs is looked at as a whole
    bool isKnown = turns.start.has_value() && (limit || !turns.isCounted || turns.start == false) && isWalked;
    bool goesOn = turns.start.value_or(true);
    for (; isKnown && goesOn && done < unrolledTurns && (!limit || done < *limit); ++done) {
        const Facts ends = turn(Runs::Surely, counterAt(done));
        cost = ops::plus(cost, costOf(turns.region));
        for (std::size_t i = 0; i < count; ++i)
            turns.carried[i] = i + 1 < ends.size() ? ends[i + 1] : Fact();
        scanned = Facts(ends.begin() + static_cast<std::ptrdiff_t>(std::min(count + 1, ends.size())), ends.end());
        const auto next = ends.empty() ? std::nullopt : ops::asBool(ends[0]);
        isKnown = next.has_value();
        goesOn = next.value_or(true);
        runsAll &= next == true;
    }
    const bool isOver = isKnown && (!goesOn || (limit && done >= *limit));
    if (!isOver)
        for (int i = 0; i < (isWalked ? joiningTurns : 2); ++i) {
            const Facts before = turns.carried;
            const std::uint64_t changes = m_inference.changes;
            const Facts ends = turn(Runs::Perhaps, counterAt(ir::UnknownDim{}));
            for (std::size_t k = 0; k < count; ++k)
                turns.carried[k] = joined(node, k, turns.carried[k], k + 1 < ends.size() ? ends[k + 1] : Fact());
            scanned = Facts(ends.begin() + static_cast<std::ptrdiff_t>(std::min(count + 1, ends.size())), ends.end());
            runsAll &= !ends.empty() && ops::asBool(ends[0]) == true;
            if (turns.carried == before && m_inference.changes == changes)
                break;
        }
    else if (done == 0)
        turn(Runs::Never, counterAt(ir::UnknownDim{})); // for who looks into it
    ir::Dim number = isOver ? ir::Dim(done) : ir::Dim(ir::UnknownDim{});
    if (!isOver && runsAll && turns.trips)
        number = ops::atLeastZero(*turns.trips);
    m_shapes.costs[node.id().index] =
        isOver ? cost : ops::plus(cost, ops::times(costOf(turns.region), ops::minus(number, done)));
    for (const Fact &item : scanned)
        turns.carried.push_back(withAxis(item, 0, ops::isKnown(number) ? number : m_inference.freshSize("turns")));
    give(node, std::move(turns.carried));
}

/// higher_order::while_loop([carried], [more]): regions condition and body, both of (carried…, more…).
void Propagation::whileLoop(const ir::NodeRef &node)
{
    if (node->regions.size() < 2)
        return inner(node);
    Facts inputs = argumentsFrom(node, 0);
    const std::size_t count = std::min(node->outputs.size(), inputs.size());
    for (int i = 0; i < joiningTurns; ++i) {
        const Facts before = inputs;
        const std::uint64_t changes = m_inference.changes;
        enter(node->regions[0], inputs);
        const Facts ends = enterIf(Runs::Perhaps, node->regions[1], inputs);
        for (std::size_t k = 0; k < count; ++k)
            inputs[k] = ops::join(inputs[k], k < ends.size() ? ends[k] : Fact());
        if (inputs == before && m_inference.changes == changes)
            break;
    }
    const ops::Cost once = costOf(node->regions[1]);
    m_shapes.costs[node.id().index] = ops::times(once, ir::UnknownDim{});
    inputs.resize(count);
    give(node, std::move(inputs));
}

/// ONNX Scan(state…, scanned…) with num_scan_inputs, each scanned along an axis of its own; export's scan([state],
/// [scanned], [more]).
void Propagation::scan(const ir::NodeRef &node)
{
    const auto named = [&](std::string_view name) {
        const ir::Operand *argument = node.argument(name);
        return argument ? of(*argument) : Fact();
    };
    Scan all;
    if (node.dialect() != "onnx") {
        if (node->arguments.size() >= 2) {
            append(all.states, of(node->arguments[0].value));
            append(all.scanned, of(node->arguments[1].value));
            all.more = argumentsFrom(node, 2);
        }
        return scan(node, all);
    }
    for (const ir::Argument &argument : node->arguments)
        if (argument.name == ir::NameId{})
            all.states.push_back(of(argument.value));
    const auto count = static_cast<std::ptrdiff_t>(all.states.size());
    const auto given = ops::asInt(named("num_scan_inputs"));
    const auto scanned = std::clamp<std::int64_t>(given ? ops::number(*given).value_or(0) : 0, 0, count);
    all.scanned.assign(all.states.end() - scanned, all.states.end());
    all.states.erase(all.states.end() - scanned, all.states.end());
    all.inputAxes = ops::asInts(named("scan_input_axes")).value_or(ir::Shape{});
    all.outputAxes = ops::asInts(named("scan_output_axes")).value_or(ir::Shape{});
    if (m_inference.model.opset("onnx") < 9)
        scanOfBatch(node, std::move(all));
    else
        scan(node, all);
}

/// Before opset 9 the lengths of the sequences came first, and all else had a batch in front.
void Propagation::scanOfBatch(const ir::NodeRef &node, Scan all)
{
    if (!all.states.empty())
        all.states.erase(all.states.begin());
    const ir::Dim batch = all.scanned.empty() ? ir::Dim(ir::UnknownDim{}) : firstSize(all.scanned.front());
    for (Facts *facts : {&all.states, &all.scanned})
        for (Fact &fact : *facts)
            fact = withoutAxis(fact, 0);
    scan(node, all);
    for (const ir::ValueId output : node->outputs)
        set(output, withAxis(of(output), 0, batch));
    m_shapes.costs[node.id().index] = ops::times(m_shapes.costs[node.id().index], batch);
}

/// Region: (state…, slice…, more…) → (state…, slice…). Each turn's state is the next one's.
void Propagation::scan(const ir::NodeRef &node, const Scan &all)
{
    const auto axisOf = [](const ir::Shape &axes, std::size_t i) {
        return i < axes.size() ? ops::number(axes[i]).value_or(0) : 0;
    };
    std::vector<Fact> inputs(all.states.begin(), all.states.end());
    ir::Dim turns = ir::UnknownDim{};
    for (std::size_t i = 0; i < all.scanned.size(); ++i) {
        const std::int64_t axis = axisOf(all.inputAxes, i);
        turns = sizeAt(all.scanned[i], axis);
        inputs.push_back(withoutAxis(all.scanned[i], axis));
    }
    inputs.insert(inputs.end(), all.more.begin(), all.more.end());
    const std::size_t states = all.states.size();
    Facts ends;
    for (int i = 0; i < joiningTurns; ++i) {
        const std::vector<Fact> before = inputs;
        ends = enter(node->regions[0], inputs);
        for (std::size_t k = 0; k < states; ++k)
            inputs[k] = ops::join(inputs[k], k < ends.size() ? ends[k] : Fact());
        if (inputs == before)
            break;
    }
    if (ops::number(turns).value_or(0) < 1)
        std::ranges::copy(std::span(inputs).first(std::min(states, ends.size())), ends.begin());
    for (std::size_t i = states; i < ends.size(); ++i)
        ends[i] = withAxis(ends[i], axisOf(all.outputAxes, i - states), turns);
    m_shapes.costs[node.id().index] = ops::times(costOf(node->regions[0]), turns);
    give(node, std::move(ends));
}

/// higher_order::map_impl([xs], [more]): the region sees one slice of each.
void Propagation::map(const ir::NodeRef &node)
{
    Facts over;
    if (!node->arguments.empty())
        append(over, of(node->arguments[0].value));
    const Facts inputs = argumentsFrom(node, 0);
    std::vector<Fact> enters(inputs.begin(), inputs.end());
    const ir::Dim turns = over.empty() ? ir::Dim(ir::UnknownDim{}) : firstSize(over.front());
    for (std::size_t i = 0; i < over.size() && i < enters.size(); ++i)
        enters[i] = withoutAxis(enters[i], 0);
    Facts ends = enter(node->regions[0], enters);
    for (Fact &end : ends)
        end = withAxis(end, 0, turns);
    m_shapes.costs[node.id().index] = ops::times(costOf(node->regions[0]), turns);
    give(node, std::move(ends));
}

/// ONNX SequenceMap(sequence, more…): the region sees an item of each sequence, and other tensors as they are.
void Propagation::mapSequences(const ir::NodeRef &node)
{
    std::vector<Fact> over;
    for (const ir::Argument &argument : node->arguments)
        if (argument.name == ir::NameId{})
            over.push_back(of(argument.value));
    const ir::Dim length = over.empty() ? ir::Dim(ir::UnknownDim{}) : ops::lengthOf(over.front());
    const auto turn = [&](const std::optional<ir::Dim> &at) {
        std::vector<Fact> inputs;
        for (const Fact &fact : over)
            inputs.push_back(fact.as<ops::SequenceFact>() ? ops::itemOf(fact, at) : fact);
        return enter(node->regions[0], inputs);
    };
    const auto count = ops::number(length);
    Facts results;
    if (!count || *count > unrolledTurns) {
        for (Fact &item : turn(std::nullopt))
            results.emplace_back(ops::manyOf(std::move(item), length));
        m_shapes.costs[node.id().index] = ops::times(costOf(node->regions[0]), length);
        return give(node, std::move(results));
    }
    std::vector<std::vector<Fact>> lists(node->outputs.size());
    ops::Cost total;
    for (std::int64_t i = 0; i < *count; ++i) {
        Facts items = turn(ir::Dim(i));
        for (std::size_t k = 0; k < lists.size() && k < items.size(); ++k)
            lists[k].push_back(std::move(items[k]));
        total = ops::plus(total, costOf(node->regions[0]));
    }
    for (std::vector<Fact> &list : lists)
        results.emplace_back(ops::listFact(std::move(list)));
    m_shapes.costs[node.id().index] = std::move(total);
    give(node, std::move(results));
}

/// Code that runs once, in its place: fork, autocast and no-grad blocks, checkpoints. Its inputs are the last
/// arguments.
void Propagation::inner(const ir::NodeRef &node)
{
    const Facts all = argumentsFrom(node, 0);
    const std::size_t wanted = node.region(0).inputs.size();
    const std::size_t skipped = all.size() > wanted ? all.size() - wanted : 0;
    const std::vector<Fact> inputs(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
    const bool isAutocast = node.opName() == "wrap_with_autocast";
    if (isAutocast && all.size() > 2) // (device, dtype, enabled, cache, …)
        m_autocasts.emplace_back(all[0], all[1], all[2]);
    Facts results = enter(node->regions[0], inputs);
    if (isAutocast && all.size() > 2)
        m_autocasts.pop_back();
    m_shapes.costs[node.id().index] = costOf(node->regions[0]);
    give(node, std::move(results));
}

} // namespace cutaway::analysis
