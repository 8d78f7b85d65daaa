// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/control_flow_lowering.h"

#include "core/formats/torchscript/lowering/skipped_block.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::torchscript {

bool ControlFlowLowering::isNeededAfter(std::string_view name, StatementId id) const
{
    return m_frame.facts.isReadAfter(name, m_frame.facts.extent(id))
        || std::ranges::any_of(m_carried, [name](const Names &names) { return std::ranges::contains(names, name); });
}

/// Returns the names that the branch assigns and that are read after it. Each has a value on both sides or before it.
ControlFlowLowering::Names ControlFlowLowering::resultsOf(StatementId id, const If &branch) const
{
    const Names &then = m_frame.facts.assigned(branch.then), &orElse = m_frame.facts.assigned(branch.orElse);
    Names results;
    const auto add = [&](const Names &assigned, const Names &opposite) {
        for (const std::string_view name : assigned) {
            const bool isSet = m_frame.names.contains(name) || std::ranges::contains(opposite, name);
            if (isSet && !std::ranges::contains(results, name) && isNeededAfter(name, id))
                results.push_back(name);
        }
    };
    add(then, orElse);
    add(orElse, then);
    return results;
}

/// Lowers one side of a branch. Returns what the names of the results mean at its end.
std::vector<Term> ControlFlowLowering::sideOf(const Block &block, ir::RegionId region, const Names &results)
{
    const GraphBuilder::InRegion inRegion(m_builder, region);
    const Environment::Scope scope(m_frame.names);
    m_lowerBlock(block);
    std::vector<Term> terms;
    for (const std::string_view name : results) {
        const Term *term = m_frame.names.find(name);
        // A side that raises gives the name no value.
        terms.push_back(term ? *term : Term(Typed{ir::None{}, {}}));
    }
    return terms;
}

void ControlFlowLowering::lower(StatementId id, const If &branch)
{
    const Typed condition = m_expressions.value(branch.condition);
    if (const auto decision = m_graph.folder.decide(condition))
        return takeSide(id, decision->condition ? branch.then : branch.orElse,
                        decision->condition ? branch.orElse : branch.then, decision->isFinal);
    const NodeOrigin origin = m_frame.origin(m_frame.tree().at(id).position);
    const Names results = resultsOf(id, branch);
    const ir::NodeId node = m_builder.append(origin, "If", {m_builder.argument("cond", condition.operand)});
    std::array<ir::RegionId, 2> regions;
    std::array<std::vector<Term>, 2> ends;
    for (const std::size_t side : {0u, 1u}) {
        regions[side] = m_builder.addRegion(node, side ? "else" : "then");
        ends[side] = sideOf(side ? branch.orElse : branch.then, regions[side], results);
    }
    std::array<std::vector<ir::Operand>, 2> outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (auto same = joined(ends[0][i], ends[1][i], condition)) {
            m_frame.names.assign(results[i], std::move(*same));
            continue;
        }
        ir::TypeId type;
        for (const std::size_t side : {0u, 1u}) {
            const GraphBuilder::InRegion inRegion(m_builder, regions[side]);
            Typed end = m_expressions.asValue(std::move(ends[side][i]));
            type = side ? m_types.join(type, end.type) : end.type;
            outputs[side].push_back(std::move(end.operand));
        }
        m_frame.names.assign(results[i], m_builder.addResult(node, type, results[i]));
    }
    for (const std::size_t side : {0u, 1u})
        m_builder.graph.setOutputs(regions[side], std::move(outputs[side]));
}

/// Returns the value that a name has after a branch, if it needs no result of the branch: both sides give the same
/// module or function, say.
std::optional<Term> ControlFlowLowering::joined(const Term &then, const Term &orElse, const Typed &condition)
{
    const auto *a = std::get_if<Typed>(&then);
    const auto *b = std::get_if<Typed>(&orElse);
    if (!a)
        return then == orElse ? std::optional(then) : std::nullopt;
    return b ? std::optional<Term>(m_graph.folder.join(*a, *b, condition)) : std::nullopt;
}

/// Lowers a branch whose condition is known. Unless `isFinal`, the condition is about types, and torch decides it
/// later: until then a name that is assigned on either side may have the type of either.
void ControlFlowLowering::takeSide(StatementId id, const Block &taken, const Block &skipped, bool isFinal)
{
    m_lowerBlock(taken);
    if (isFinal)
        return;
    for (const std::string_view name : m_frame.facts.assigned(taken)) {
        Typed *value = isNeededAfter(name, id) ? m_frame.names.value(name) : nullptr;
        if (!value)
            continue;
        if (const auto other = typeBehind(skipped, name, m_frame, m_types))
            value->seen = m_types.join(value->seen, *other);
        if (value->constant == Typed::Constant::Written)
            value->constant = Typed::Constant::Computed;
    }
}

void ControlFlowLowering::lower(StatementId id, const While &loop)
{
    lower(id,
          Loop{loop.body, std::numeric_limits<std::int64_t>::max(), m_expressions.value(loop.condition).operand,
               std::nullopt, loop.condition});
}

void ControlFlowLowering::lower(StatementId id, const For &loop)
{
    const ExpressionId count = *countOf(m_frame.tree(), loop);
    lower(id, Loop{loop.body, m_expressions.value(count).operand, true, loop.variable, std::nullopt});
}

/// Returns the names that the loop's body assigns and that are read in it or later, in the order that torch gives
/// them when it loads the code: first those that are used after the loop, then the others by name.
ControlFlowLowering::Names ControlFlowLowering::carriedBy(StatementId id, const Block &body) const
{
    // The condition, which the statement itself reads, does not count: before the loop it is an operand of the node,
    // and at the end of the body it is lowered within the body.
    Facts::Extent inside = m_frame.facts.extent(id);
    ++inside.begin;
    const auto isNeeded = [&](std::string_view name) { return isNeededAfter(name, id); };
    Names carried;
    for (const std::string_view name : m_frame.facts.assigned(body))
        if (m_frame.names.contains(name) && (m_frame.facts.isReadWithin(name, inside) || isNeeded(name)))
            carried.push_back(name);
    std::ranges::sort(std::ranges::stable_partition(carried, isNeeded));
    return carried;
}

/// Lowers a loop to prim::Loop(trip count, condition, carried…): its region gets the iteration's number and the
/// carried values, and returns the next condition and the next carried values.
void ControlFlowLowering::lower(StatementId id, Loop loop)
{
    const NodeOrigin origin = m_frame.origin(m_frame.tree().at(id).position);
    const Names carried = carriedBy(id, loop.body);
    std::vector<ir::Argument> arguments{m_builder.argument("trip_count", std::move(loop.tripCount)),
                                        m_builder.argument("cond", std::move(loop.condition))};
    std::vector<ir::TypeId> types;
    for (const std::string_view name : carried) {
        Typed start = m_expressions.asValue(*m_frame.names.find(name));
        arguments.push_back(m_builder.argument("", std::move(start.operand)));
        types.push_back(start.type);
    }
    const ir::NodeId node = m_builder.append(origin, "Loop", std::move(arguments));
    types = loopBody(loop, m_builder.addRegion(node, "body"), carried, std::move(types));
    for (std::size_t i = 0; i < carried.size(); ++i)
        m_frame.names.assign(carried[i], m_builder.addResult(node, types[i], carried[i]));
}

/// Lowers the body of a loop. `types` are the types of the carried values before the loop. Returns types that hold for
/// them both before the loop and at the end of the body.
std::vector<ir::TypeId> ControlFlowLowering::loopBody(const Loop &loop, ir::RegionId region, const Names &carried,
                                                      std::vector<ir::TypeId> types)
{
    const GraphBuilder::InRegion inRegion(m_builder, region);
    const Environment::Scope scope(m_frame.names);
    Typed index = m_builder.addInput(region, m_types.number(ir::NumberType::Kind::Int), loop.counter.value_or("i"));
    if (loop.counter)
        m_frame.names.assign(*loop.counter, std::move(index));
    std::vector<ir::ValueId> inputs;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        Typed input = m_builder.addInput(region, types[i], carried[i]);
        inputs.push_back(*input.operand.as<ir::ValueId>());
        m_frame.names.assign(carried[i], std::move(input));
    }
    m_carried.push_back(carried);
    m_lowerBlock(loop.body);
    std::vector<ir::Operand> outputs{loop.nextCondition ? m_expressions.value(*loop.nextCondition).operand
                                                        : ir::Operand(true)};
    for (std::size_t i = 0; i < carried.size(); ++i) {
        Typed end = m_expressions.asValue(*m_frame.names.find(carried[i]));
        types[i] = m_types.join(types[i], end.type);
        m_builder.graph.setType(inputs[i], types[i]);
        outputs.push_back(std::move(end.operand));
    }
    m_carried.pop_back();
    m_builder.graph.setOutputs(region, std::move(outputs));
    return types;
}

} // namespace cutaway::formats::torchscript
