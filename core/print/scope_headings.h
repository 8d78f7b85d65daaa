// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace cutaway::print {

/// Comments that say where in the module tree a graph's nodes are. A module of few nodes, such as a single convolution,
/// counts as part of its parent, so that the comments show the structure and not every line has one.
class ScopeHeadings {
public:
    explicit ScopeHeadings(const ir::Graph &graph);

    /// The heading of a scope: "layer1.0", "layer1.0 (call 2)", "(top level)".
    std::string of(ir::ScopeId scope) const;

private:
    const ir::Context &m_context;
    std::vector<std::uint32_t> m_nodes; ///< by scope
    std::vector<bool> m_hasChildren;
};

} // namespace cutaway::print
