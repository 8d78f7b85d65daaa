// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"
#include "core/ir/node_ref.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::torchscript {

/// Which tensors, containers and objects of the code may share memory, according to torch's AliasDb. A value that
/// comes from outside, from an attribute or from a container, or is put into one, may share memory with any other.
class AliasSets {
public:
    /// Visits the nodes of a region from `first` on, with the nodes in their regions.
    AliasSets(const ir::Graph &graph, ir::RegionId region, ir::NodeId first, OperatorCalls &operators);

    /// Whether a node writes to a value that may share memory with anything.
    bool writesToUnknown(const ir::NodeRef &node);
    /// Whether a node writes to a value that may share memory with a value given to setRead().
    bool writesToRead(const ir::NodeRef &node);
    void setRead(ir::ValueId value) { m_read.insert(setOf(value)); }
    /// Whether any node writes to a value that may share memory with this one.
    bool isWritten(ir::ValueId value) { return m_written.contains(setOf(value)); }

private:
    using Set = std::uint32_t;
    static constexpr Set unknown = 0; ///< the set of values that may share memory with any other value

    void addRegion(ir::RegionId region, ir::NodeId first);
    void addNode(const ir::NodeRef &node);
    void addRegions(const ir::NodeRef &node);
    void addOperator(const ir::NodeRef &node, const ops::Schema &schema);
    void join(const ir::Operand &a, const ir::Operand &b);
    void joinUnknown(const ir::Operand &operand);
    std::vector<ir::ValueId> writtenBy(const ir::NodeRef &node);
    bool mayShare(ir::ValueId value) const;
    Set setOf(ir::ValueId value);
    Set root(Set set);

    const ir::Graph &m_graph;
    OperatorCalls &m_operators;
    std::vector<Set> m_parents{unknown};
    std::unordered_map<ir::ValueId, Set> m_sets;
    std::unordered_set<Set> m_read;
    std::unordered_set<Set> m_written;
};

} // namespace cutaway::formats::torchscript
