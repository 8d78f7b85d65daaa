// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

#include <utility>
#include <vector>

namespace cutaway::analysis {

class Symbols;

/// Sizes of the results of two branches where only data decides which branch is taken: a size that differs becomes a
/// symbol, which is not larger than the larger of both and is the same wherever the branches have these two sizes.
class DecidedSizes {
public:
    explicit DecidedSizes(Symbols &symbols) : m_symbols(symbols) { }

    /// Returns `joined`, the join of `a` and `b`, with symbols in place of known sizes that differ.
    ops::Fact of(ops::Fact joined, const ops::Fact &a, const ops::Fact &b);

private:
    ir::Dim of(const ir::Dim &joined, const ir::Dim &a, const ir::Dim &b);
    void settle(ops::TensorFact &joined, const ops::TensorFact &a, const ops::TensorFact &b);
    void settle(ops::SequenceFact &joined, const ops::SequenceFact &a, const ops::SequenceFact &b);

    struct Decided {
        ir::Dim a, b, size;
    };
    Symbols &m_symbols;
    std::vector<Decided> m_decided;
};

} // namespace cutaway::analysis
