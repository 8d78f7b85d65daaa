// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/value_reads.h"

#include "core/print/torch/forward_code.h"

#include <algorithm>
#include <ranges>

namespace cutaway::print {

ValueReads::ValueReads(const CodeSource &source, const ModuleCall &call)
    : m_source(source),
      m_graph(source.function.graph),
      m_call(call)
{
}

std::size_t ValueReads::of(ir::ValueId value) const
{
    const auto found = m_reads.find(value);
    return found == m_reads.end() ? 0 : found->second;
}

/// Counts from the end backwards, so that all reads of a value are counted before the node that makes it.
void ValueReads::count(IntegerTensors &integers)
{
    for (const PlanItem &item : m_call.items)
        if (const auto *node = std::get_if<ir::NodeId>(&item))
            collect(*node);
    for (const ir::ValueId output : m_call.outputs)
        ++m_reads[output];
    if (&m_call == &m_source.plan.root())
        for (const ir::FunctionOutput &output : m_source.function.outputs)
            count(output.value);
    for (const PlanItem &item : m_call.items | std::views::reverse) {
        if (const auto *node = std::get_if<ir::NodeId>(&item)) {
            countNode(*node, integers);
            continue;
        }
        for (const ir::Operand &input : std::get<std::shared_ptr<const ModuleCall>>(item)->inputs)
            count(input);
    }
}

void ValueReads::collect(ir::NodeId id)
{
    m_nodes.insert(id);
    for (const ir::RegionId region : m_graph.at(id).regions)
        for (const ir::NodeId inner : m_graph.at(region).nodes)
            collect(inner);
}

bool ValueReads::isSteady(const ir::NodeRef &node) const
{
    return m_nodes.contains(node) && std::ranges::none_of(node->arguments, [&](const ir::Argument &argument) {
               const auto *value = argument.value.as<ir::ValueId>();
               return value && m_variables.contains(*value);
           });
}

void ValueReads::countNode(ir::NodeId id, IntegerTensors &integers)
{
    if (const Layer *layer = m_source.plan.layer(id))
        return count(layer->data);
    const ir::NodeRef node(m_graph, id);
    if (const auto integer = integers.read(node))
        return integers.visitNumbers(*integer, [&](const ir::Operand &number) { count(number); });
    if (node.outputCount() == 1 && of(node->outputs[0]) == 0 && integers.contains(node->outputs[0]))
        return; // the value is printed as a number where it is read
    for (const ir::RegionId region : node->regions | std::views::reverse) {
        for (const ir::Operand &output : m_graph.at(region).outputs)
            count(output);
        for (const ir::NodeId inner : m_graph.at(region).nodes | std::views::reverse)
            countNode(inner, integers);
    }
    for (const ir::Argument &argument : node->arguments)
        count(argument.value);
}

void ValueReads::count(const ir::Operand &operand)
{
    ir::forEachValue(operand, [&](ir::ValueId value) { ++m_reads[value]; });
}

} // namespace cutaway::print
