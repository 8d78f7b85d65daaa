// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::plugin {

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

    /// The node with this id, wherever in the graph; empty if there is none.
    std::vector<ir::NodeId> withId(std::uint64_t id) const;

    /// The node of exactly this name, or with a result of it.
    std::optional<ir::NodeId> exact(std::string_view name) const;
    /// The same of the longest part of the name, from its start, that is one and at whose end a word ends.
    std::optional<ir::NodeId> maker(std::string_view name) const;

private:
    std::vector<ir::NodeId> partsUpTo(ir::NodeId last, std::string_view op) const;

    const ir::Graph &m_graph;
    std::unordered_map<std::string_view, ir::NodeId> m_nodes; ///< by their names and those of their results
};

} // namespace cutaway::plugin
