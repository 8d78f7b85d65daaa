// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <boost/container/small_vector.hpp>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cutaway::analysis {

/// A sum of products: for each product, by its index in Products, the number of times that it is added. The first
/// product is 1; missing numbers are 0.
using Terms = boost::container::small_vector<std::int64_t, 2>;

/// The products of symbols into which the sizes of a function's storages are split.
class Products {
public:
    /// Returns the size as terms; nullptr for a size that is not known, or overflows. The pointer is valid as long as
    /// this object.
    const Terms *termsOf(const ir::Dim &bytes);
    /// Returns the terms as a size. Results are kept, since the blocks of a network repeat the same sums.
    ir::Dim sum(const Terms &terms);

private:
    ir::Dim total(const Terms &terms) const;
    std::optional<Terms> split(const ir::Dim &bytes);
    void addTerm(Terms &terms, const symbolic::Expr &term);
    std::size_t indexOf(const symbolic::Expr &product);
    void add(Terms &terms, std::size_t i, std::int64_t count);

    bool m_fits = true; ///< whether no sum has overflowed in the formula that is being split
    std::vector<symbolic::Expr> m_products{symbolic::Expr::integer(1)};
    std::map<Terms, ir::Dim> m_sums;
    /// By the identity of the formula, which outlives the map.
    std::unordered_map<const void *, std::optional<Terms>> m_formulas;
    std::unordered_map<std::int64_t, std::optional<Terms>> m_numbers;
};

/// Adds `sign` times the terms; false if that overflows.
bool addTo(Terms &sum, const Terms &terms, std::int64_t sign);

/// The steps that may be the peak: for each of them, some values of the symbols may make it the largest.
class Peak {
public:
    void offer(std::size_t step, const Terms &terms);
    /// Returns the largest sum of all steps; unknown if the formula would be too long.
    ir::Dim bytes(Products &products) const;
    /// Returns the step of the peak if it is the same for all values of the symbols; else nothing.
    std::optional<std::size_t> step() const;

private:
    struct Candidate {
        std::size_t step;
        Terms terms;
    };
    std::vector<Candidate> m_candidates;
};

} // namespace cutaway::analysis
