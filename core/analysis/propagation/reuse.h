// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace cutaway::analysis {

/// The findings that a propagation may take over from an earlier one through the same graph, with something else given,
/// and the trace that it leaves for a later one. See the source for when a node finds the same again.
class Reuse {
public:
    /// `earlier` has to outlive this object; nullptr: nothing is reused.
    Reuse(const ir::Graph &graph, const Shapes *earlier);

    /// Returns the fact that the earlier propagation found of the value, if all readers of the value saw that fact;
    /// else nullptr.
    const ops::Fact *onlyFactOf(ir::ValueId value) const;
    /// Notes that the value has this fact from now on.
    void noteFact(ir::ValueId value, const ops::Fact &fact);

    /// Whether the node would find what it found earlier, given the numbers of storages and symbols made so far. The
    /// node must certainly run, and be in no autocast context.
    bool isRepeated(const ir::NodeRef &node, const Trace::Count &count) const;
    /// The findings at a node, apart from the facts of its outputs.
    struct Found {
        std::span<const ir::Dim> storages; ///< the sizes in bytes of the storages that the node made
        std::span<const DataSize> symbols; ///< sizes that the node made up
        const ops::Cost &cost;
        const Stop *stop; ///< nullptr: propagation did not stop there
        std::vector<NodeNeed> needs = {};
    };
    /// Marks the node as reused, and returns its earlier findings.
    Found takeOver(ir::NodeId node);

    /// Notes that a node was visited. `isAlone`: its findings follow from its operands and the count alone.
    void noteVisit(ir::NodeId node, const Trace::Count &before, const Trace::Count &after, bool isAlone);

    Trace take() { return std::move(m_trace); }

private:
    const Shapes *m_earlier;
    std::unordered_map<ir::NodeId, const Stop *> m_stops;          ///< the stops of the earlier propagation
    std::unordered_multimap<ir::NodeId, const NodeNeed *> m_needs; ///< the needs that the earlier propagation found
    std::vector<bool> m_isSame; ///< by ValueId: whether the fact is the one that all readers saw before
    Trace m_trace;
};

} // namespace cutaway::analysis
