// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Returns the stage of a graph with this name in a structured log; Pass for all other names.
Kind kindOfRecord(std::string_view name);

/// Returns the stage of a graph under this title in a log as text: "Forward graph 0", "AFTER POST GRAD".
Kind kindOfTitle(std::string_view title);

/// Whether the text of a record is a graph: its first line that is not blank begins one. Texts that begin with a
/// function are other generated code.
bool isGraph(const Excerpt &text);

/// Sets the directions of a compilation's steps from their stages. `hasBackward`: gradients are computed, so that a
/// graph after autograd is the forward, not an inference.
void setDirections(Sequence &sequence, bool hasBackward);

} // namespace cutaway::sequence
