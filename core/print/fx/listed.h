// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::print {

/// A row of a listing: either as the file's graph has it, or a node that is to be listed as it is now.
struct FxListedRow {
    std::vector<std::string> cells; ///< opcode, name, target, args, kwargs
    std::optional<ir::NodeRef> node;
};

/// Lists the nodes of a graph that was read from a file of torch.fx as that file lists them. One node of the file may
/// be several nodes here, or none. It is listed as in the file if all of its remaining nodes read the same values as in
/// the file.
class FxListed {
public:
    FxListed(const ir::Model &model, const ir::Function &function) : m_model(model), m_graph(function.graph) { }

    std::vector<FxListedRow> rows() const;

private:
    bool isAsRead(const ir::NodeRef &node) const;
    static bool isOf(const ir::NodeRef &node) { return !node.metadata("fx.of").empty(); }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
};

} // namespace cutaway::print
