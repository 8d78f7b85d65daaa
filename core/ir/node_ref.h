// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/graph.h"

#include <ranges>

namespace cutaway::ir {

class NodeRef;

/// A read-only handle of a value in a graph: two words, valid as long as the graph. It converts to ValueId.
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
    const TensorType *tensorType() const; ///< nullptr: the value is no tensor, or its type is unknown
    /// Returns the node that produces the value; nullopt for inputs and weights.
    std::optional<NodeRef> producer() const;
    /// Returns the tensor of the file that the value stands for; nullopt unless it is a weight.
    std::optional<TensorId> weight() const;

private:
    const Graph *m_graph;
    ValueId m_id;
};

/// A read-only handle of a node in a graph: two words, valid as long as the graph. It converts to NodeId.
class NodeRef {
public:
    NodeRef(const Graph &graph, NodeId id) : m_graph(&graph), m_id(id) { }

    // NOLINTNEXTLINE(google-explicit-constructor): it is an id that knows its graph
    operator NodeId() const { return m_id; }
    NodeId id() const { return m_id; }
    const Graph &graph() const { return *m_graph; }
    const Node &operator*() const { return m_graph->at(m_id); }
    const Node *operator->() const { return &m_graph->at(m_id); }

    std::string_view dialect() const;  ///< the operator's dialect: "aten", "onnx", "com.microsoft"
    std::string_view opName() const;   ///< "add_", as the file has it
    std::string_view overload() const; ///< "Tensor", or ""
    std::string fullName() const;      ///< "aten::add_.Tensor"
    bool isOnnx() const;               ///< see isOnnxDialect()

    std::string_view name() const; ///< the node's name in the file, or ""
    const Scope &scope() const;
    const Location &location() const;
    std::string_view metadata(std::string_view key) const; ///< "" if the node has no metadata under the key

    /// Returns the argument `name`; nullptr if the node has none. For defaults in schemas see ops::Signature.
    const Operand *argument(std::string_view name) const;
    /// Returns the positional argument at `position` (None: omitted), as all of ONNX's inputs are; nullptr if absent.
    const Operand *input(std::size_t position) const;
    std::size_t inputCount() const;

    std::size_t outputCount() const { return (*this)->outputs.size(); }
    ValueRef output(std::size_t position) const; ///< the output must exist (asserted)
    auto outputs() const
    {
        return (*this)->outputs | std::views::transform([graph = m_graph](ValueId id) { return ValueRef(*graph, id); });
    }
    const Region &region(std::size_t position) const; ///< the region must exist (asserted)

private:
    const Graph *m_graph;
    NodeId m_id;
};

/// Returns the value that an operand is; nullopt for a constant, a list, None or nullptr.
std::optional<ValueRef> valueOf(const Graph &graph, const Operand *operand);

/// Returns the nodes of a region in execution order, without those of nested regions.
inline auto nodesOf(const Graph &graph, RegionId region = Graph::body)
{
    return graph.at(region).nodes | std::views::transform([&graph](NodeId id) { return NodeRef(graph, id); });
}

/// Whether the dialect is an ONNX domain: its operators have positional inputs and named attributes.
bool isOnnxDialect(std::string_view dialect);

} // namespace cutaway::ir
