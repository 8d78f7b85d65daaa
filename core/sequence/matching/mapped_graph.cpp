// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/matching/mapped_graph.h"

#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/ops/kind.h"
#include "core/ops/program/container.h"

namespace cutaway::sequence {

MappedGraph::MappedGraph(const ir::Model &model, const std::vector<std::optional<ValuePrint>> &prints)
    : m_graph(model.functions.front().graph),
      m_prints(prints),
      m_isOnnx(ir::isOnnx(model))
{
    for (const ir::NodeRef node : ir::nodesOf(m_graph)) {
        for (const ir::ValueId output : node->outputs)
            m_producers[output] = m_nodes.size();
        m_nodes.push_back(node);
        m_sources.push_back(ir::sourceOf(node).value_or(""));
    }
    m_users.resize(m_nodes.size());
    for (Index i = 0; i < m_nodes.size(); ++i)
        for (const Index operand : operandsOf(i))
            m_users[operand].push_back(i);
}

std::vector<Index> MappedGraph::operandsOf(Index i) const
{
    std::vector<Index> operands;
    for (const ir::Argument &argument : m_nodes[i]->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            if (const auto found = m_producers.find(value); found != m_producers.end())
                operands.push_back(found->second);
        });
    return operands;
}

std::string MappedGraph::nameOf(Index i) const { return ir::nameOf(m_nodes[i]); }

Index MappedGraph::ownerOf(Index i) const
{
    const ir::Operand *index = m_nodes[i].input(1); // a slice gives no item
    const bool isItem = ops::kindOf(m_nodes[i]) == ops::kind::getItem && index && index->as<std::int64_t>();
    const auto operands = isItem ? operandsOf(i) : std::vector<Index>();
    return operands.size() == 1 ? ownerOf(operands.front()) : i;
}

std::optional<Index> MappedGraph::producerOf(ir::ValueId value) const
{
    const auto found = m_producers.find(value);
    return found == m_producers.end() ? std::nullopt : std::optional(found->second);
}

bool MappedGraph::isPassing(Index i) const
{
    for (const Index operand : operandsOf(i))
        for (const ir::ValueId given : m_nodes[operand]->outputs)
            for (const ir::ValueId made : m_nodes[i]->outputs) {
                const ValuePrint *x = print(given), *y = print(made);
                if (x && y && x->isSame(*y))
                    return true;
            }
    return false;
}

} // namespace cutaway::sequence
