// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/kernels.h"
#include "core/sequence/matching/mapped_graph.h"

namespace cutaway::sequence {

/// The node of an earlier graph that a node of a later one came from.
struct Match {
    Index node = 0;
    How how = How::Structure;
    bool isSure = false; ///< no other node would do as well
};

/// By node of the later graph.
struct Matches {
    std::vector<std::optional<Match>> found;
    /// The nodes, besides the one that was found, that it computes as well: those whose results lead only to it, where
    /// it is of another operator than that one.
    std::vector<std::vector<Index>> fused;
};

/// Finds which nodes of `a` the nodes of `b` came from, by values, names, lines of code and order; see matching.cpp.
Matches match(const MappedGraph &a, const MappedGraph &b);

} // namespace cutaway::sequence
