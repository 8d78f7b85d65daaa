// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/address.h"
#include "core/sequence/kernels.h"
#include "core/sequence/provenance.h"

namespace cutaway::sequence {

/// A node of the later graph and the nodes of the earlier one that it came from; there are none if it is new.
struct NodeOrigin {
    std::string node;
    std::vector<std::string> from;
    How how = How::Structure;
    bool isSure = false; ///< whether no other nodes would fit as well
};

struct Mapping {
    std::vector<NodeOrigin> pairs; ///< for each node of the later graph, in its order
    std::vector<std::string> gone; ///< nodes of the earlier graph from which no node came
};

/// Finds the origins of the nodes of `b` in `a`, from which `b` was made: as `recorded` has them, else by values that
/// both compute from the same inputs, by names, by lines of the user's code, or by order; see matching/matching.cpp.
Mapping mapNodes(const ir::Model &a, const ir::Model &b, const RecordedOrigins &recorded = {}, const Task &task = {});

/// Returns the origins that the nodes of `b` record themselves, as in files of torch.export. The origins are names of
/// nodes in the first of the graphs that led to `b`.
RecordedOrigins originsIn(const ir::Model &b);

/// Returns the origins that a compilation's log records between two of its steps, the earlier one first; nothing if it
/// records none.
RecordedOrigins originsBetween(const Sequence &sequence, std::size_t from, std::size_t to);

/// Maps the graphs at two addresses. Errors: those of open().
Result<Mapping> mapAddresses(const std::string &a, const std::string &b, bool useProvenance, const Task &task = {});

} // namespace cutaway::sequence
