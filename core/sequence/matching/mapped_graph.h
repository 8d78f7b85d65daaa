// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/sequence/matching/values.h"

#include <string>
#include <unordered_map>

namespace cutaway::sequence {

/// A node's position in the main graph.
using Index = std::size_t;

/// The main graph of a model, node by node, and what was computed of it. Both outlive it.
class MappedGraph {
public:
    MappedGraph(const ir::Model &model, const std::vector<std::optional<ValuePrint>> &prints);

    /// Whether what rewrites the graph keeps the names of values, whatever gives them.
    bool keepsNamesOfValues() const { return m_isOnnx; }
    std::size_t size() const { return m_nodes.size(); }
    const ir::NodeRef &node(Index i) const { return m_nodes[i]; }
    const std::vector<Index> &usersOf(Index i) const { return m_users[i]; }
    std::vector<Index> operandsOf(Index i) const;
    /// "file:line" of the user's code, or "".
    const std::string &sourceOf(Index i) const { return m_sources[i]; }
    std::string nameOf(Index i) const;
    /// The node that makes what the node takes an item of; itself for others.
    Index ownerOf(Index i) const;
    /// The node that makes the value; nothing for inputs, weights and values of regions.
    std::optional<Index> producerOf(ir::ValueId value) const;
    /// Whether a node only passes a value on, as views and copies that change nothing do.
    bool isPassing(Index i) const;

    const std::vector<std::optional<ValuePrint>> &prints() const { return m_prints; }
    /// Null: it was not computed.
    const ValuePrint *print(ir::ValueId value) const
    {
        return m_prints[value.index] ? &*m_prints[value.index] : nullptr;
    }

private:
    const ir::Graph &m_graph;
    const std::vector<std::optional<ValuePrint>> &m_prints;
    bool m_isOnnx;
    std::vector<ir::NodeRef> m_nodes;
    std::vector<std::string> m_sources; ///< by node
    std::unordered_map<ir::ValueId, Index> m_producers;
    std::vector<std::vector<Index>> m_users;
};

} // namespace cutaway::sequence
