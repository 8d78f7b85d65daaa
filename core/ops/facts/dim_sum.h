// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/symbolic/pool.h"

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cutaway::ops {

/// A sum of many sizes most of which are equal, like the costs of a graph's nodes: equal formulas are counted, and
/// added once at the end. Adding takes O(different formulas); when these become many, they are folded into one.
class DimSum {
public:
    void add(const ir::Dim &dim) { add(dim, 1); }
    void add(const DimSum &other);
    /// Returns the sum of all sizes, as plus() computes it.
    ir::Dim total() const;

    bool operator==(const DimSum &other) const = default;
    /// Returns a hash that is the same for equal sums of the same expression objects.
    std::size_t hash() const;

private:
    void add(const ir::Dim &dim, std::int64_t times);

    ir::Dim m_number = std::int64_t{0}; ///< the sum of the known numbers; unknown once an unknown size was added
    std::vector<std::pair<symbolic::Expr, std::int64_t>> m_formulas;
};

/// The totals of many sums most of which are equal, like the sums of equal modules: each total is computed once, and
/// equal totals share their trees.
class DimTotals {
public:
    const ir::Dim &of(const DimSum &sum);

private:
    struct Hash {
        std::size_t operator()(const DimSum &sum) const { return sum.hash(); }
    };
    std::unordered_map<DimSum, ir::Dim, Hash> m_known;
    symbolic::Pool m_formulas;
};

} // namespace cutaway::ops
