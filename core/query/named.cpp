// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/named.h"

#include "core/ir/names.h"

namespace cutaway::query {

namespace {

class Naming {
public:
    Naming(const ir::Model &model, const ir::Function &function, const Pattern &name)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_name(name),
          m_isNode(m_graph.nodeCount()),
          m_isValue(m_graph.valueCount())
    {
    }

    Ends find()
    {
        for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index)
            if (has({m_graph, id})) {
                m_isNode[id.index] = true;
                m_found.nodes.push_back(id);
            }
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>(); value && (has(input.name) || has(input.target)))
                m_isValue[value->index] = true;
        for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            if (m_isValue[id.index] || has({m_graph, id}))
                add({m_graph, id});
        return std::move(m_found);
    }

private:
    bool has(ir::NameId name) const
    {
        const std::string_view text = m_model.context->text(name);
        return !text.empty() && m_name.matches(text);
    }

    bool has(const ir::NodeRef &node) const
    {
        return !node->removed
            && (m_name.matches(ir::nameOf(node)) || m_name.matches("#" + std::to_string(node.id().index)));
    }

    bool has(const ir::ValueRef &value) const
    {
        const auto weight = value.weight();
        return has(value->name) || (weight && has(m_model.at(*weight).name));
    }

    void add(const ir::ValueRef &value)
    {
        const auto producer = value.producer();
        const bool isThere = !producer || !(*producer)->removed;
        if (isThere && !(producer && m_isNode[producer->id().index]))
            m_found.values.push_back(value);
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const Pattern &m_name;
    std::vector<bool> m_isNode;  ///< by NodeId: whether the node has the name
    std::vector<bool> m_isValue; ///< by ValueId: whether the signature gives the value that name
    Ends m_found;
};

} // namespace

Ends named(const ir::Model &model, const ir::Function &function, const Pattern &name)
{
    return Naming(model, function, name).find();
}

} // namespace cutaway::query
