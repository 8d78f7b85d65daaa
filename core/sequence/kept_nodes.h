// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/continued.h"
#include "core/sequence/mapping.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

/// Finds the nodes that stay from one graph to the next of a compiler, and what new ones were made from. Each is taken
/// once, by whichever of the following finds it first. Both models share their context and have a function.
class KeptNodes {
public:
    KeptNodes(const ir::Model &before, const ir::Model &after);

    /// Nodes of one operator and name, which a compiler does not give anew within a stage. A node without a name goes
    /// by that of its first result.
    void takeSameNames();
    /// Nodes that stand in the same place between nodes that stay: one gives a result of the same type to the same
    /// reader, or has the same operator and operands.
    void takeSamePlaces();
    /// Nodes that the mapping of the two graphs knows. Where one became several, it stays as the one that does the
    /// same.
    void take(const Mapping &mapping);

    /// Whether nodes of both graphs are left.
    bool isOpen() const { return m_kept.size() < std::min(m_namedBefore.size(), m_namedAfter.size()); }
    /// Whether most nodes of the smaller graph were found.
    bool areMost() const { return 2 * m_kept.size() > std::min(m_namedBefore.size(), m_namedAfter.size()); }
    /// The later graph as the next state of the earlier one (diff::continued).
    ir::Model continued() const { return diff::continued(m_modelBefore, m_modelAfter, m_kept, m_made); }

private:
    void take(ir::NodeId before, ir::NodeId after);
    void takeOrigins(const NodeOrigin &pair);
    void takeReadBy(diff::KeptNode reader);
    void takeProducers(const std::vector<ir::ValueId> &before, const std::vector<ir::ValueId> &after);
    void takeByOperands(ir::NodeId after);
    bool haveSameTypes(ir::NodeId before, ir::NodeId after) const;
    std::optional<ir::ValueId> earlier(ir::ValueId after) const;

    const ir::Model &m_modelBefore, &m_modelAfter;
    const ir::Graph &m_before, &m_after;
    std::unordered_map<std::string, ir::NodeId> m_namedBefore, m_namedAfter; ///< by ir::nameOf()
    std::unordered_map<ir::NameId, ir::ValueId> m_given;                     ///< inputs and weights before
    std::unordered_map<ir::NodeId, ir::NodeId> m_earlier;                    ///< by node after
    std::unordered_set<ir::NodeId> m_takenBefore;
    std::vector<diff::KeptNode> m_kept;
    std::vector<diff::MadeNode> m_made;
};

} // namespace cutaway::sequence
