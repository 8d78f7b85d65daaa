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
    /// `earlier`: nullptr if there is nothing to take over; it has to outlive this object.
    Reuse(const ir::Graph &graph, const Shapes *earlier);

    /// The earlier fact of the value, if all its readers saw this one; else nullptr.
    const ops::Fact *onlyFactOf(ir::ValueId value) const;
    /// Notes that the value has this fact from now on.
    void noteFact(ir::ValueId value, const ops::Fact &fact);

    /// Whether the node would find what it found earlier, at this count, in code that certainly runs and lies in no
    /// autocast context.
    bool isRepeated(const ir::NodeRef &node, const Trace::Count &count) const;
    /// The findings at a node beside the facts of its outputs.
    struct Found {
        std::span<const ir::Dim> storages; ///< bytes of those that the node made
        std::span<const DataSize> symbols; ///< sizes that the node made up
        const ops::Cost &cost;
        const Stop *stop; ///< nullptr: propagation did not stop there
        std::vector<NodeNeed> needs = {};
    };
    /// Notes that the node is taken over, and returns its earlier findings.
    Found takeOver(ir::NodeId node);

    /// Notes that a node was looked at. `isAlone`: its findings follow from its operands and the count alone.
    void noteVisit(ir::NodeId node, const Trace::Count &before, const Trace::Count &after, bool isAlone);

    Trace take() { return std::move(m_trace); }

private:
    const Shapes *m_earlier;
    std::unordered_map<ir::NodeId, const Stop *> m_stops;          ///< earlier ones
    std::unordered_multimap<ir::NodeId, const NodeNeed *> m_needs; ///< earlier ones
    std::vector<bool> m_isSame; ///< by ValueId: its fact is the one that all its readers saw earlier
    Trace m_trace;
};

} // namespace cutaway::analysis
