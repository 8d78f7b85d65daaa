// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace cutaway::analysis {

/// What a propagation may take over from an earlier one through the same graph, with something else given, and the
/// trace that it leaves for a later one. See the source for when a node finds the same again.
class Reuse {
public:
    /// `earlier`: nullptr for nothing to take over; it has to outlive this.
    Reuse(const ir::Graph &graph, const Shapes *earlier);

    /// The earlier fact, if all who read the value saw this one; else nullptr.
    const ops::Fact *onlyFactOf(ir::ValueId value) const;
    /// The value has this fact from now on.
    void noteFact(ir::ValueId value, const ops::Fact &fact);

    /// Whether the node would find what it found earlier, at this count, in code that certainly runs and lies in no
    /// autocast context.
    bool isRepeated(const ir::NodeRef &node, const Trace::Count &count) const;
    /// What it found beside the facts of its outputs.
    struct Found {
        std::span<const ir::Dim> storages; ///< bytes of those it made
        std::span<const DataSize> symbols; ///< that it made up
        const ops::Cost &cost;
        const Stop *stop; ///< nullptr: it did not stop
        std::vector<NodeNeed> needs = {};
    };
    /// Notes that it is taken over.
    Found takeOver(ir::NodeId node);

    /// A node was looked at. `isAlone`: nothing but its operands and the count decides what it finds.
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
