// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/sequence/matching/values.h"

#include <string>
#include <unordered_map>

namespace cutaway::sequence {

/// A node's index in the main graph.
using Index = std::size_t;

/// The main graph of a model, node by node, with its computed values. Model and values must outlive it.
class MappedGraph {
public:
    MappedGraph(const ir::Model &model, const std::vector<std::optional<ValuePrint>> &prints);

    /// Whether programs that rewrite the graph keep the names of values, even where other nodes produce them.
    bool keepsNamesOfValues() const { return m_isOnnx; }
    std::size_t size() const { return m_nodes.size(); }
    const ir::NodeRef &node(Index i) const { return m_nodes[i]; }
    const std::vector<Index> &usersOf(Index i) const { return m_users[i]; }
    std::vector<Index> operandsOf(Index i) const;
    /// Returns "file:line" of the user's code; "" if it is not known.
    const std::string &sourceOf(Index i) const { return m_sources[i]; }
    std::string nameOf(Index i) const;
    /// Returns the node that makes the tuple of which the node takes an item; the node itself if it takes no item.
    Index ownerOf(Index i) const;
    /// Returns the node that makes the value; nothing for inputs, weights and values of regions.
    std::optional<Index> producerOf(ir::ValueId value) const;
    /// Whether a node only passes a value on, as a view or a copy that changes nothing does.
    bool isPassing(Index i) const;

    const std::vector<std::optional<ValuePrint>> &prints() const { return m_prints; }
    /// Returns nullptr if the value was not computed.
    const ValuePrint *print(ir::ValueId value) const
    {
        return m_prints[value.index] ? &*m_prints[value.index] : nullptr;
    }

private:
    const ir::Graph &m_graph;
    const std::vector<std::optional<ValuePrint>> &m_prints;
    bool m_isOnnx;
    std::vector<ir::NodeRef> m_nodes;
    std::vector<std::string> m_sources; ///< by node: file and line
    std::unordered_map<ir::ValueId, Index> m_producers;
    std::vector<std::vector<Index>> m_users;
};

} // namespace cutaway::sequence
