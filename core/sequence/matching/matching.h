// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/kernels.h"
#include "core/sequence/matching/mapped_graph.h"

namespace cutaway::sequence {

/// The node of an earlier graph from which a node of a later one came.
struct Match {
    Index node = 0;
    How how = How::Structure;
    bool isSure = false; ///< whether no other node fits as well
};

/// The matches, by node of the later graph.
struct Matches {
    std::vector<std::optional<Match>> found;
    /// The nodes of the earlier graph that a node computes besides the matched one, if its operator is another than
    /// that of the matched node: nodes whose results lead only to the matched node.
    std::vector<std::vector<Index>> fused;
};

/// Finds which nodes of `a` the nodes of `b` came from, by values, names, lines of code and order; see matching.cpp.
Matches match(const MappedGraph &a, const MappedGraph &b);

} // namespace cutaway::sequence
