// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/needed_values.h"

#include <algorithm>
#include <ranges>

namespace cutaway::convert {

namespace {

/// A dtype, a device, a text: what is known before the model runs and no tensor.
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
    mark(ir::Graph::body);
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
    return std::ranges::any_of(node->outputs, [&](ir::ValueId output) { return contains(output); });
}

void NeededValues::mark(ir::RegionId region)
{
    for (const ir::NodeId id : m_graph.at(region).nodes | std::views::reverse) {
        const ir::NodeRef node(m_graph, id);
        const auto grown = grownBy(node, m_written);
        if (!areMadeBy(node) && !(grown && contains(*grown)))
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
