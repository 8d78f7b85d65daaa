// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/needed_values.h"

#include <algorithm>
#include <ranges>

namespace cutaway::convert {

namespace {

/// Whether a fact is a dtype, a device, a text or the like: a value that is known before the model runs and is no
/// tensor.
bool isSetting(const ops::Fact &fact)
{
    return fact.as<ir::DType>() || fact.as<ir::Device>() || fact.as<ir::Layout>() || fact.as<ir::MemoryFormat>()
        || fact.as<ops::TextFact>() || fact.as<ops::NoneFact>();
}

} // namespace

bool isKnownNumber(const ops::Fact &fact)
{
    const auto *number = fact.as<ops::NumberFact>();
    if (!number || std::holds_alternative<std::monostate>(number->value)
        || number->kind == ops::NumberFact::Kind::Complex)
        return false;
    const auto *dim = std::get_if<ir::Dim>(&number->value);
    return !dim || ops::floating(*dim);
}

NeededValues::NeededValues(const ir::Function &function, const analysis::Shapes &shapes, const WrittenValues &written)
    : m_graph(function.graph),
      m_shapes(shapes),
      m_written(written)
{
    for (const ir::FunctionOutput &output : function.outputs)
        need(output.value);
    needWrites(function);
    mark(ir::Graph::body);
}

/// Marks the nodes that write in place as needed, if a result of the function is an input that is written to: no node
/// makes that result.
void NeededValues::needWrites(const ir::Function &function)
{
    bool isReturned = false;
    for (const ir::FunctionOutput &output : function.outputs)
        ir::forEachValue(output.value, [&](ir::ValueId value) {
            isReturned = isReturned || (m_written.values.contains(value) && !ir::ValueRef(m_graph, value).producer());
        });
    for (ir::NodeId id{0}; isReturned && id.index < m_graph.nodeCount(); ++id.index) {
        if (m_graph.at(id).removed || !m_written.writers.contains(id))
            continue;
        for (std::optional<ir::NodeId> node = id; node; node = m_graph.at(m_graph.at(*node).parent).owner)
            m_writes.insert(*node);
    }
}

void NeededValues::need(const ir::Operand &operand)
{
    ir::forEachValue(operand, [&](ir::ValueId value) {
        if (!isKnownNumber(m_shapes.of(value)) && !isSetting(m_shapes.of(value)))
            m_values.insert(value);
    });
}

bool NeededValues::areMadeBy(const ir::NodeRef &node) const
{
    return m_writes.contains(node.id())
        || std::ranges::any_of(node->outputs, [&](ir::ValueId output) { return contains(output); });
}

void NeededValues::mark(ir::RegionId region)
{
    for (const ir::NodeId id : m_graph.at(region).nodes | std::views::reverse) {
        const ir::NodeRef node(m_graph, id);
        if (!areMadeBy(node))
            continue;
        for (const ir::RegionId inner : node->regions) {
            for (const ir::Operand &output : m_graph.at(inner).outputs)
                need(output);
            mark(inner);
        }
        for (const ir::Argument &argument : node->arguments)
            need(argument.value);
    }
}

} // namespace cutaway::convert
