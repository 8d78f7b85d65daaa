// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/counts.h"
#include "core/ir/objects/object_parts.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace cutaway::analysis {

/// The parameters that the nodes of a graph read: values that are parameters, and objects that pack some.
class ParameterReads {
public:
    /// The model and the graph have to outlive this object.
    ParameterReads(const ir::Model &model, const ir::Graph &graph);

    /// Calls `visit` for each parameter that a node reads itself; parameters that nodes of its regions read are not
    /// among them. In place of tied parameters, `visit` gets the first of them.
    void forEach(const ir::Node &node, const std::function<void(ir::TensorId)> &visit) const;

private:
    void visitObject(std::string_view path, const std::function<void(ir::TensorId)> &visit) const;

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    ir::ObjectParts m_objects;
    TiedTensors m_tied;
};

/// The sums over each module call of one function, with all nodes that are drawn inside (ir::homesOf). Sums that do not
/// fit are `saturated`.
struct ModuleSums {
    struct Sum {
        std::int64_t nodes = 0;            ///< the number of nodes; 0 if the scope does not occur in the function
        std::int64_t parameters = 0;       ///< elements of the parameters read inside, each once, tied ones too
        std::int64_t bytes = 0;            ///< bytes of these parameters
        ir::RegionId region;               ///< the region of the module's first node
        std::vector<ir::ScopeId> children; ///< the child modules, in order of execution
    };
    std::vector<Sum> scopes; ///< by ScopeId

    const Sum &at(ir::ScopeId scope) const { return scopes[scope.index]; }
};

/// Returns the sums for a function. Takes O(nodes · depth of modules · depth of regions).
ModuleSums moduleSums(const ir::Model &model, const ir::Function &function);

/// The elements of the parameters that the file has in each module, with those of its children, by ModuleId; tied
/// parameters count once. Unlike moduleSums(), it counts parameters that no call reads.
std::vector<std::int64_t> parametersPerModule(const ir::Model &model);

} // namespace cutaway::analysis
