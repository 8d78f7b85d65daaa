// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/continued.h"
#include "core/sequence/mapping.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

/// Finds the nodes that stay from one graph of a compiler to the next, and the origins of the new nodes. Each node is
/// taken once, by the first of the functions take…() that is called and finds it. The models share their context, and
/// each has a function.
class KeptNodes {
public:
    KeptNodes(const ir::Model &before, const ir::Model &after);

    /// Takes nodes of the same operator and name: within a stage a compiler keeps names. A node without a name goes by
    /// the name of its first result.
    void takeSameNames();
    /// Takes nodes at the same position between nodes that stay: both make a result of the same type for the same
    /// reader, or have the same operator and operands.
    void takeSamePlaces();
    /// Takes nodes that the mapping of the two graphs connects. If a node became several, it stays as the one of the
    /// same operator, else as the first one.
    void take(const Mapping &mapping);

    /// Whether there are nodes in both graphs that were not taken.
    bool isOpen() const;
    /// Whether most nodes of the smaller graph were taken.
    bool areMost() const;
    /// Returns the later graph as the next state of the earlier one (diff::continued).
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
    std::unordered_map<ir::NameId, ir::ValueId> m_given;  ///< inputs and weights of the earlier graph
    std::unordered_map<ir::NodeId, ir::NodeId> m_earlier; ///< by later node: the earlier node
    std::unordered_set<ir::NodeId> m_takenBefore;
    std::vector<diff::KeptNode> m_kept;
    std::vector<diff::MadeNode> m_made;
};

} // namespace cutaway::sequence
