// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace cutaway::print {

/// Headings for comments that name the module of the following nodes. A module of few nodes, such as a single
/// convolution, counts as part of its parent, so that the comments show the structure and do not stand at every line.
class ScopeHeadings {
public:
    explicit ScopeHeadings(const ir::Graph &graph);

    /// Returns the heading of a scope: "layer1.0", "layer1.0 (call 2)", "(top level)".
    std::string of(ir::ScopeId scope) const;

private:
    const ir::Context &m_context;
    std::vector<std::uint32_t> m_nodes; ///< by scope: the number of nodes directly in it
    std::vector<bool> m_hasChildren;
};

} // namespace cutaway::print
