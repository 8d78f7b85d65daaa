// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::plugin {

/// Finds the nodes behind a backend's own names. Backends name a fused node after one of its parts or after the value
/// that it produces: "fused /conv1/Conv", "/relu/Relu_output_0_nchwc", "mul_2/LayerNormFusion/". A node of ONNX without
/// a name of its own goes by the name that core/protocol/made_names.h makes for it.
class NodeNames {
public:
    explicit NodeNames(const ir::Function &function);

    /// Returns the nodes behind a backend's name, that of the result last; none if unknown. `op` is the operator that
    /// the backend runs: for a fused node named after its last part, the nodes back to this operator are found.
    std::vector<ir::NodeId> find(std::string_view name, std::string_view op) const;

    /// Returns the node of the body at this index if it has this operator: backends number nodes that have no name.
    std::vector<ir::NodeId> at(std::uint64_t index, std::string_view op) const;

    /// Returns the node with this id in any region; an empty list if there is none.
    std::vector<ir::NodeId> withId(std::uint64_t id) const;

    /// Returns the name of the first value that a node makes; "" if it has none.
    std::string_view valueOf(ir::NodeId node) const;

    /// Returns the node with exactly this name or with a result of this name.
    std::optional<ir::NodeId> exact(std::string_view name) const;
    /// Returns the node of exact() for the longest prefix of `name` that ends at the end of a word.
    std::optional<ir::NodeId> maker(std::string_view name) const;

private:
    std::vector<ir::NodeId> partsUpTo(ir::NodeId last, std::string_view op) const;

    void addMadeNames();

    const ir::Graph &m_graph;
    std::deque<std::string> m_made;
    std::unordered_map<std::string_view, ir::NodeId> m_nodes; ///< by the names of nodes and of their results
};

} // namespace cutaway::plugin
