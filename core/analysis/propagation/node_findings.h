// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/bounded_cost.h"
#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"
#include "core/ops/call.h"

#include <map>
#include <vector>

namespace cutaway::analysis {

/// The costs, needs and stops of the nodes of one function, as they are found. Reads the facts in `shapes` and writes
/// the findings there.
class NodeFindings {
public:
    /// The shapes and the graph must outlive this object.
    NodeFindings(Shapes &shapes, const ir::Graph &graph)
        : m_shapes(shapes),
          m_graph(graph),
          m_stopped(graph.nodeCount())
    {
    }

    void setCost(ir::NodeId node, ops::Cost cost) { m_shapes.costs.set(node.index, std::move(cost)); }
    void setBoundedCost(ir::NodeId node, BoundedCost cost);
    void setUnknownCost(ir::NodeId node);
    /// Returns the cost of the region's nodes, as the last visits have found it.
    BoundedCost costOf(ir::RegionId region) const;

    /// Notes where propagation stopped; only the first stop of a node counts.
    void stop(Stop stop, Reached reached);
    /// Notes a stop at a node whose rule has answered, if the node's results or its cost are not known, and makes the
    /// figures of its cost unknown that depend on what is not known.
    void noteUnknown(const ir::NodeRef &node, const ops::Operator &row, const std::optional<ops::Doubt> &doubt,
                     Reached reached);
    /// Notes the sizes that a node which certainly runs needs.
    void noteNeeds(const ir::NodeRef &node, const ops::SizeNeeds &needs, const ops::Facts &results);

    /// Returns how much is known of the node's results.
    Stop::Results resultsOf(const ir::NodeRef &node) const;

private:
    const ops::Fact &of(ir::ValueId value) const { return m_shapes.facts[value.index]; }
    bool readsOnlyKnown(const ir::NodeRef &node) const;

    Shapes &m_shapes;
    const ir::Graph &m_graph;
    std::vector<bool> m_stopped;                     ///< by NodeId
    std::map<const void *, symbolic::Expr> m_needed; ///< by identity: formulas that must not be negative
};

/// Whether the fact is an integer of unknown value.
bool isOpenNumber(const ops::Fact &fact);

} // namespace cutaway::analysis
