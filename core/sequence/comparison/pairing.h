// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Positions of two things that stand for each other, or of one that has no counterpart.
struct Paired {
    std::optional<std::size_t> a, b;
    bool operator==(const Paired &) const = default;
};

/// Pairs the sequences of two documents by the code that was compiled: its function, the name of its file and its line;
/// then by function and file, since edits move lines; then by function. Several of one code are paired by compile id,
/// then in their order. The id alone pairs only where a side does not name its function. Pairs are of one part and
/// rank, and both were kept or were the same attempt that was given up; but two compilations alone are a pair whatever
/// they are called. In the order of A; what is only in B comes last.
std::vector<Paired> pairSequences(const Document &a, const Document &b);

/// Pairs the steps of two sequences without crossing: those of one name, and of one stage and direction where neither
/// name is on the other side. In the order of both.
std::vector<Paired> pairSteps(const Sequence &a, const Sequence &b);

} // namespace cutaway::sequence
