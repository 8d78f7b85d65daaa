// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::report {

/// The attributes of self that prim::GetAttr nodes of a function fetch, by their dotted paths.
class ModulePaths {
public:
    explicit ModulePaths(const ir::Function &function);

    /// "layer1.0.weight" for a node that fetches it; nothing for other nodes and attributes of other objects.
    std::optional<std::string> of(const ir::Node &node) const;
    /// The submodule whose forward the node calls.
    std::optional<std::string> ofCalled(const ir::Node &node) const;
    /// The method that a prim::CallMethod calls; nullptr for other nodes.
    const ir::String *calledMethod(const ir::Node &node) const;
    /// Whether the value is an attribute that only leads to others or to a call of its forward.
    bool isOnlyAStep(ir::ValueId value) const { return m_isStep[value.index]; }

private:
    const ir::String *fetchedAttribute(const ir::Node &node) const;
    std::optional<ir::ValueId> selfOf(const ir::Node &node) const;
    bool onlyLeadsOn(ir::ValueId value) const;
    bool isOp(const ir::Node &node, std::string_view name) const;

    const ir::Graph &m_graph;
    std::unordered_map<ir::ValueId, std::string> m_paths;
    std::vector<bool> m_isStep; ///< by value
};

} // namespace cutaway::report
