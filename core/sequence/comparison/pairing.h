// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Indices of two things that correspond to each other, or of one that has no counterpart.
struct Paired {
    std::optional<std::size_t> a, b;
    bool operator==(const Paired &) const = default;
};

/// Pairs the sequences of two documents by the code that was compiled: its function, the name of its file and its line;
/// then by function and file, since edits move lines; then by function. Several sequences of one code are paired by
/// compile id, then in their order. The id alone pairs only if a side does not name its function. A pair has the same
/// part and rank on both sides, and both were kept, or were the same attempt that was given up. If each side has only
/// one compilation, they are a pair whatever they are called. The result is in the order of A, with those that only B
/// has at the end.
std::vector<Paired> pairSequences(const Document &a, const Document &b);

/// Pairs the steps of two sequences without crossings. A pair has the same name, or the same stage and direction if
/// neither name is on the other side. The result is in the order of both.
std::vector<Paired> pairSteps(const Sequence &a, const Sequence &b);

} // namespace cutaway::sequence
