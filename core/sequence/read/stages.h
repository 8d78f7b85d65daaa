// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// The stage of a graph that a structured log calls so; Pass where the name says nothing more.
Kind kindOfRecord(std::string_view name);

/// The stage of a graph under this title of a log as text: "Forward graph 0", "AFTER POST GRAD".
Kind kindOfTitle(std::string_view title);

/// Whether the text of a record is a graph: one begins on its first line that is not blank. Functions are generated
/// code of other kinds.
bool isGraph(const Excerpt &text);

/// Sets the directions of a compilation's steps from their stages. `hasBackward`: gradients are computed, so that what
/// would be inference is the forward.
void setDirections(Sequence &sequence, bool hasBackward);

} // namespace cutaway::sequence
