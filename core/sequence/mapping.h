// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/address.h"
#include "core/sequence/kernels.h"
#include "core/sequence/provenance.h"

namespace cutaway::sequence {

/// A node of the later graph and the nodes of the earlier one that it came from; none: it is new.
struct NodeOrigin {
    std::string node;
    std::vector<std::string> from;
    How how = How::Structure;
    bool isSure = false; ///< nothing else would do as well
};

struct Mapping {
    std::vector<NodeOrigin> pairs; ///< for each node of the later graph, in order
    std::vector<std::string> gone; ///< nodes of the earlier graph that none came from
};

/// Where the nodes of `b` came from in `a`, of which it was made: as recorded, else by values that both compute from
/// the same inputs, by names, by the lines of the user's code, and by the order of the graph; see
/// matching/matching.cpp.
Mapping mapNodes(const ir::Model &a, const ir::Model &b, const RecordedOrigins &recorded = {}, const Task &task = {});

/// The origins that the nodes of `b` record themselves, in files of torch.export: names in the first graph of the
/// chain.
RecordedOrigins originsIn(const ir::Model &b);

/// The origins that a compilation's log records between two of its steps, the earlier one first; nothing where it does
/// not.
RecordedOrigins originsBetween(const Sequence &sequence, std::size_t from, std::size_t to);

/// Maps two graphs by their addresses. Errors: as open().
Result<Mapping> mapAddresses(const std::string &a, const std::string &b, bool useProvenance, const Task &task = {});

} // namespace cutaway::sequence
