// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/value_names.h"

#include <algorithm>

namespace cutaway::formats::onnx {

bool isConstantNode(const Writing &writing, const ir::ValueRef &value)
{
    const auto tensor = value.weight();
    return tensor && writing.model.at(*tensor).kind == ir::Tensor::Kind::Constant && !writing.isListed(*tensor);
}

ValueNames::ValueNames(const Writing &writing, const ir::Function &function)
    : m_writing(writing),
      m_graph(function.graph),
      m_names(m_graph.valueCount()),
      m_weights(m_graph.regionCount()),
      m_claimed(m_graph.valueCount())
{
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
        const ir::ValueRef value(m_graph, ir::ValueId{i});
        m_taken.take(value.name());
        if (const auto *weight = std::get_if<ir::Weight>(&value->definition))
            m_weights[weight->region.index].push_back(value);
    }
    claimResults(function);
    nameRegion(ir::Graph::body);
}

void ValueNames::claimResults(const ir::Function &function)
{
    for (const ir::FunctionOutput &output : function.outputs) {
        const auto value = ir::valueOf(m_graph, &output.value);
        if (!value || output.name == ir::NameId{})
            continue;
        const auto producer = value->producer();
        const bool isMadeHere = producer ? (*producer)->parent == ir::Graph::body : isConstantNode(m_writing, *value);
        const std::uint32_t index = value->id().index;
        if (!isMadeHere || m_claimed[index])
            continue;
        m_names[index] = m_writing.text(output.name);
        m_claimed[index] = m_visible.insert(m_names[index]).second;
    }
}

void ValueNames::nameRegion(ir::RegionId id)
{
    const std::size_t mark = m_order.size();
    // Inputs come first, because callers refer to them by their names.
    std::ranges::for_each(m_graph.at(id).inputs, [&](ir::ValueId input) { name(input); });
    std::ranges::for_each(m_weights[id.index], [&](ir::ValueId weight) { name(weight); });
    for (const ir::NodeRef node : ir::nodesOf(m_graph, id)) {
        for (const ir::ValueId output : node->outputs)
            name(output);
        for (const ir::RegionId inner : node->regions)
            nameRegion(inner);
    }
    for (; m_order.size() > mark; m_order.pop_back())
        m_visible.erase(m_order.back());
}

void ValueNames::name(ir::ValueId id)
{
    if (m_claimed[id.index])
        return;
    const ir::ValueRef value(m_graph, id);
    const std::string_view own = value.name();
    if (own.empty() && value->uses.empty())
        return;
    std::string &name = m_names[id.index];
    name = !own.empty() && !m_visible.contains(own) ? std::string(own) : fresh(own.empty() ? "value" : own);
    m_visible.insert(name);
    m_order.push_back(name);
}

} // namespace cutaway::formats::onnx
