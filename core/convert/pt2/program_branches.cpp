// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/preparation.h"
#include "core/convert/pt2/program_translation.h"
#include "core/ir/context.h"
#include "core/passes/cutting/cut.h"
#include "core/passes/inlining.h"

#include <algorithm>

// torch.cond takes a tensor or Boolean, and two graphs with results of the same types. The results are tensors; none of
// them may be an input of the graph or occur twice. A number that a branch makes is therefore put into a tensor, and
// taken out where it is read.

namespace cutaway::convert {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

void ProgramTranslation::takeBranch(const NodeRef &node, std::size_t branch)
{
    const ir::Region &region = node.region(branch);
    const std::vector<Operand> given = passes::openedArguments(node, 1);
    for (std::size_t i = 0; i < region.inputs.size() && i < given.size(); ++i)
        m_values.set(region.inputs[i], m_values.made(given[i]));
    if (isRefused())
        return;
    lowerRegion(node->regions[branch]);
    for (std::size_t i = 0; i < node.outputCount() && i < region.outputs.size(); ++i)
        if (m_needed.contains(node.output(i)))
            m_values.set(node.output(i), m_values.made(region.outputs[i]));
}

/// Lowers a node with two branches. A branch that only raises an error is dropped, and the results come from the other
/// one.
void ProgramTranslation::lowerIf(const NodeRef &node)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (raises(source(), node->regions[i]))
            return takeBranch(node, 1 - i);
    if (const auto flag = ops::asBool(m_values.fact(node->arguments.front().value)))
        return takeBranch(node, *flag ? 0 : 1);
    const Operand given = m_values.made(node->arguments.front().value);
    const Operand condition = m_values.tensorBehind(given, ir::DType::Bool).value_or(given);
    std::vector<RegionResult> results;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        if (!m_needed.contains(node.output(i)))
            continue;
        const auto type = m_values.typeOf(m_shapes.of(node.output(i)));
        const auto tensor = type ? tensorTypeFor(*type) : std::nullopt;
        if (!tensor)
            return refuse(
                m_values.whyUnknown(node, "a result is no tensor or number of a type that both branches give it"));
        results.push_back({i, *type, *tensor});
    }
    if (isRefused())
        return;
    const OuterNumbers outer = outerNumbersOf(node);
    const ir::NodeId made = m_graph.add({"higher_order", "cond", {}, {{"", condition}, {"", ir::List{}}}});
    const int number = m_branches++;
    for (std::size_t i = 0; i < 2; ++i)
        lowerBranch(node, i,
                    m_graph.graph().addRegion(
                        made, m_context.name(formatted("{}_graph_{}", i == 0 ? "true" : "false", number))),
                    outer, results);
    leave(outer);
    if (isRefused())
        return;
    m_graph.from(node);
    for (const RegionResult &result : results)
        addRegionResult(node, made, result);
}

/// Adds a result of a region to `made`, the new node for `node`. If the result is a number, it is taken out of its
/// tensor after the node.
void ProgramTranslation::addRegionResult(const NodeRef &node, ir::NodeId made, const RegionResult &result)
{
    const ValueId output = node.output(result.position);
    const std::string_view name = node.output(result.position).name();
    m_values.set(output, asRead(m_graph.addResult(made, result.tensor, name), result, name));
}

Operand ProgramTranslation::asRead(ValueId tensor, const RegionResult &result, std::string_view name)
{
    return std::holds_alternative<ir::NumberType>(result.type)
        ? m_graph.make({"aten", "item", "default", {{"self", tensor}}}, result.type, name)
        : tensor;
}

/// Puts each number that the node's regions read from outside into a tensor, in front of the node.
ProgramTranslation::OuterNumbers ProgramTranslation::outerNumbersOf(const NodeRef &node)
{
    OuterNumbers outer;
    for (const ValueId value : passes::valuesReadBy(node)) {
        const Operand *found = m_values.find(value);
        bool hasNumber = false;
        const auto addNumber = [&](ValueId made) {
            if (!m_values.numberKind(made))
                return;
            hasNumber = true;
            if (!outer.tensors.contains(made)) {
                const auto type = tensorTypeFor(ir::ValueRef(m_graph.graph(), made).type());
                outer.tensors.emplace(made, *scalar(made, *type).as<ValueId>());
            }
        };
        if (found)
            ir::forEachValue(*found, addNumber);
        if (hasNumber)
            outer.values.emplace(value, *found);
    }
    return outer;
}

/// Takes each number from outside out of its tensor again, inside the region.
void ProgramTranslation::enter(const OuterNumbers &outer, ProgramGraph::Inside &inside)
{
    std::map<ValueId, ValueId> taken;
    for (const auto &[number, tensor] : outer.tensors)
        taken.emplace(number, inside.taken(number, tensor));
    for (const auto &[value, operand] : outer.values)
        m_values.set(value, ir::withValues(operand, [&](ValueId each) {
                         const auto number = taken.find(each);
                         return Operand(number == taken.end() ? each : number->second);
                     }));
}

void ProgramTranslation::leave(const OuterNumbers &outer)
{
    for (const auto &[value, operand] : outer.values)
        m_values.set(value, operand);
}

void ProgramTranslation::lowerBranch(const NodeRef &node, std::size_t branch, ir::RegionId region,
                                     const OuterNumbers &outer, const std::vector<RegionResult> &results)
{
    ProgramGraph::Inside inside(m_graph, region);
    enter(outer, inside);
    const ir::Region &from = node.region(branch);
    const std::vector<Operand> given = passes::openedArguments(node, 1);
    for (std::size_t i = 0; i < from.inputs.size() && i < given.size(); ++i)
        m_values.set(from.inputs[i], m_values.made(given[i]));
    lowerRegion(node->regions[branch]);
    m_graph.from(node);
    std::vector<Operand> outputs;
    for (const RegionResult &result : results) {
        const Operand made = m_values.made(from.outputs[result.position]);
        if (isRefused())
            return;
        outputs.push_back(regionOutput(made, result, region, outputs));
    }
    m_graph.graph().setOutputs(region, std::move(outputs));
}

/// Returns a tensor for the result of a region. A node of the region makes it, and it is none of `others`, the other
/// results.
Operand ProgramTranslation::regionOutput(const Operand &made, const RegionResult &result, ir::RegionId region,
                                         const std::vector<Operand> &others)
{
    const ir::Type type = result.tensor;
    if (std::holds_alternative<ir::NumberType>(result.type) && m_values.numberKind(made))
        return m_graph.make(scalarTensor(made, *result.tensor.dtype), type, "scalar_tensor");
    if (!m_values.isTensor(made)) {
        refuse("what a branch or an iteration gives is neither tensor nor number");
        return made;
    }
    const auto maker = ir::ValueRef(m_graph.graph(), *made.as<ValueId>()).producer();
    if (maker && (*maker)->parent == region && !std::ranges::contains(others, made))
        return made;
    return m_graph.copy(*made.as<ValueId>());
}

} // namespace cutaway::convert
