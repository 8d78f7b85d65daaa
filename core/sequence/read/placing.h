// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Adds the sequences of one source to a document in the order of their first graphs. Sets the address of each step,
/// the step that it is compared with, and whether it differs from that. The first graph of a backward is compared with
/// the joint graph of its forward. Adds a note if there is no graph.
void place(std::vector<Sequence> sequences, const std::string &source, Document &document);

/// Returns the text that identifies a sequence in its source and begins the addresses of its steps:
/// "rank1/0/0/backward"; "" for files in a row.
std::string labelOf(const Sequence &sequence);

/// Sets the step with which each step but the first is compared, and whether it differs.
void compareNeighbours(Sequence &sequence);

} // namespace cutaway::sequence
