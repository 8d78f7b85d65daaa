// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::run {

/// Finds the nodes that a backend speaks of by names of its own. What a backend fuses it calls after one of the parts
/// or after the value that these make together: "fused /conv1/Conv", "/relu/Relu_output_0_nchwc",
/// "mul_2/LayerNormFusion/".
class NodeNames {
public:
    explicit NodeNames(const ir::Function &function);

    /// The nodes behind a name, the one that gives the result last; empty if it tells none. `op` is what the backend
    /// runs: of a fused node called after its last part, the parts back to this operator are found.
    std::vector<ir::NodeId> find(std::string_view name, std::string_view op) const;

    /// The node of the body with this number, if it is of this operator: backends call nodes without a name so.
    std::vector<ir::NodeId> at(std::uint64_t index, std::string_view op) const;

private:
    std::vector<ir::NodeId> partsUpTo(ir::NodeId last, std::string_view op) const;
    std::optional<ir::NodeId> lookUp(std::string_view name) const;

    const ir::Graph &m_graph;
    std::unordered_map<std::string_view, ir::NodeId> m_nodes; ///< by their names and those of their results
};

} // namespace cutaway::run
