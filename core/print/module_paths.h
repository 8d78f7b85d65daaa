// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::print {

/// Returns the method that a prim::CallMethod calls; nullptr for other nodes.
const ir::String *calledMethod(const ir::NodeRef &node);

/// The dotted paths of the attributes of self that a function's prim::GetAttr nodes fetch.
class ModulePaths {
public:
    explicit ModulePaths(const ir::Function &function);

    /// Returns the path, "layer1.0.weight", for the node that fetches the attribute; nothing for other nodes and for
    /// attributes of other objects.
    std::optional<std::string> of(const ir::NodeRef &node) const;
    /// Returns the path of the submodule whose forward() the node calls; nothing for other nodes.
    std::optional<std::string> ofCalled(const ir::NodeRef &node) const;
    /// Whether the value is an attribute that is only used to fetch further attributes or to call its forward().
    bool isOnlyAStep(ir::ValueId value) const { return m_isStep[value.index]; }

private:
    std::unordered_map<ir::ValueId, std::string> m_paths;
    std::vector<bool> m_isStep; ///< by value: the result of isOnlyAStep()
};

} // namespace cutaway::print
