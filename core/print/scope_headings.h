// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace cutaway::print {

/// Where in the module tree the nodes of a graph are, told in comments. A module of a few nodes, a convolution alone,
/// counts to the module around it, so that the comments show the structure and not every line has one.
class ScopeHeadings {
public:
    explicit ScopeHeadings(const ir::Graph &graph);

    /// "layer1.0", "layer1.0 (call 2)", "(top level)".
    std::string of(ir::ScopeId scope) const;

private:
    const ir::Context &m_context;
    std::vector<std::uint32_t> m_nodes; ///< by scope
    std::vector<bool> m_hasChildren;
};

} // namespace cutaway::print
