// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/graph.h"

#include <ranges>

namespace cutaway::ir {

class NodeRef;

/// A value of a graph, for reading: two words, valid as long as the graph is. Stands wherever a ValueId does.
class ValueRef {
public:
    ValueRef(const Graph &graph, ValueId id) : m_graph(&graph), m_id(id) { }

    // NOLINTNEXTLINE(google-explicit-constructor): it is an id that knows its graph
    operator ValueId() const { return m_id; }
    ValueId id() const { return m_id; }
    const Graph &graph() const { return *m_graph; }
    const Value &operator*() const { return m_graph->at(m_id); }
    const Value *operator->() const { return &m_graph->at(m_id); }

    std::string_view name() const;
    const Type &type() const;
    const TensorType *tensorType() const; ///< nullptr: another type, or not known
    /// The node whose result it is; nothing for inputs and weights.
    std::optional<NodeRef> producer() const;
    /// The tensor of the file that it is; nothing for all but weights.
    std::optional<TensorId> weight() const;

private:
    const Graph *m_graph;
    ValueId m_id;
};

/// A node of a graph, for reading: two words, valid as long as the graph is. Stands wherever a NodeId does.
class NodeRef {
public:
    NodeRef(const Graph &graph, NodeId id) : m_graph(&graph), m_id(id) { }

    // NOLINTNEXTLINE(google-explicit-constructor): it is an id that knows its graph
    operator NodeId() const { return m_id; }
    NodeId id() const { return m_id; }
    const Graph &graph() const { return *m_graph; }
    const Node &operator*() const { return m_graph->at(m_id); }
    const Node *operator->() const { return &m_graph->at(m_id); }

    std::string_view dialect() const;  ///< of its operator: "aten", "onnx", "com.microsoft"
    std::string_view opName() const;   ///< "add_", as the file has it
    std::string_view overload() const; ///< "Tensor", or ""
    std::string fullName() const;      ///< "aten::add_.Tensor"
    bool isOnnx() const;               ///< see isOnnxDialect()

    std::string_view name() const; ///< the node's own in the file, or ""
    const Scope &scope() const;
    const Location &location() const;
    std::string_view metadata(std::string_view key) const; ///< "" where the file has none

    /// The argument of that name; nullptr where the node has none. Defaults are the schema's: see ops::Signature.
    const Operand *argument(std::string_view name) const;
    /// The n-th argument that has no name, as all inputs of ONNX (None: left out); nullptr if there are fewer.
    const Operand *input(std::size_t position) const;
    std::size_t inputCount() const;

    std::size_t outputCount() const { return (*this)->outputs.size(); }
    ValueRef output(std::size_t position) const; ///< asserted to be there
    auto outputs() const
    {
        return (*this)->outputs | std::views::transform([graph = m_graph](ValueId id) { return ValueRef(*graph, id); });
    }
    const Region &region(std::size_t position) const; ///< asserted to be there

private:
    const Graph *m_graph;
    NodeId m_id;
};

/// The value that an operand is, or nothing: a constant, a list, None.
std::optional<ValueRef> valueOf(const Graph &graph, const Operand *operand);

/// The nodes of a region in execution order, without those of the regions within.
inline auto nodesOf(const Graph &graph, RegionId region = Graph::body)
{
    return graph.at(region).nodes | std::views::transform([&graph](NodeId id) { return NodeRef(graph, id); });
}

/// Whether operators of a dialect have inputs by position and attributes by name: every domain of ONNX.
bool isOnnxDialect(std::string_view dialect);

} // namespace cutaway::ir
