// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/graph.h"

#include <ranges>

namespace cutaway::ir {

class NodeRef;

/// A read-only handle of a graph's value: two words, valid as long as the graph. Converts to ValueId.
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
    const TensorType *tensorType() const; ///< nullptr: not a tensor, or unknown
    /// The node that produces it; nullopt for inputs and weights.
    std::optional<NodeRef> producer() const;
    /// The file's tensor that it stands for; nullopt unless it is a weight.
    std::optional<TensorId> weight() const;

private:
    const Graph *m_graph;
    ValueId m_id;
};

/// A read-only handle of a graph's node: two words, valid as long as the graph. Converts to NodeId.
class NodeRef {
public:
    NodeRef(const Graph &graph, NodeId id) : m_graph(&graph), m_id(id) { }

    // NOLINTNEXTLINE(google-explicit-constructor): it is an id that knows its graph
    operator NodeId() const { return m_id; }
    NodeId id() const { return m_id; }
    const Graph &graph() const { return *m_graph; }
    const Node &operator*() const { return m_graph->at(m_id); }
    const Node *operator->() const { return &m_graph->at(m_id); }

    std::string_view dialect() const;  ///< the operator's: "aten", "onnx", "com.microsoft"
    std::string_view opName() const;   ///< "add_", as the file has it
    std::string_view overload() const; ///< "Tensor", or ""
    std::string fullName() const;      ///< "aten::add_.Tensor"
    bool isOnnx() const;               ///< see isOnnxDialect()

    std::string_view name() const; ///< the node's name in the file, or ""
    const Scope &scope() const;
    const Location &location() const;
    std::string_view metadata(std::string_view key) const; ///< "" where the file has none

    /// The argument `name`; nullptr where the node has none. For schema defaults see ops::Signature.
    const Operand *argument(std::string_view name) const;
    /// The positional argument at `position`, as all inputs of ONNX operators are (None: omitted); nullptr if there are
    /// fewer.
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

/// The operand's value; nullopt for a constant, a list, None or nullptr.
std::optional<ValueRef> valueOf(const Graph &graph, const Operand *operand);

/// The nodes of a region in execution order, without those of nested regions.
inline auto nodesOf(const Graph &graph, RegionId region = Graph::body)
{
    return graph.at(region).nodes | std::views::transform([&graph](NodeId id) { return NodeRef(graph, id); });
}

/// Whether the dialect is an ONNX domain: its operators have positional inputs and named attributes.
bool isOnnxDialect(std::string_view dialect);

} // namespace cutaway::ir
