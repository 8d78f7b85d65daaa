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

/// Pairs the sequences of two documents: those of one function and compile id, then those of one function in their
/// order, then those of one id; always of one part, rank and attempt. Two compilations alone are a pair whatever they
/// are called. In the order of A; what is only in B comes last.
std::vector<Paired> pairSequences(const Document &a, const Document &b);

/// Pairs the steps of two sequences without crossing: those of one name, and of one stage and direction where neither
/// name is on the other side. In the order of both.
std::vector<Paired> pairSteps(const Sequence &a, const Sequence &b);

} // namespace cutaway::sequence
