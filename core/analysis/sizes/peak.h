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

/// Numbers by product, the first that of 1; missing ones are 0. A size that is not known, or overflows, has none.
using Terms = boost::container::small_vector<std::int64_t, 2>;

/// The products of symbols that a function's storages are sums of.
class Products {
public:
    /// nullptr if there are none. Valid as long as this.
    const Terms *termsOf(const ir::Dim &bytes);
    /// Blocks of a network repeat, and so do sums, which are kept.
    ir::Dim sum(const Terms &terms);

private:
    ir::Dim total(const Terms &terms) const;
    std::optional<Terms> split(const ir::Dim &bytes);
    void addTerm(Terms &terms, const symbolic::Expr &term);
    std::size_t indexOf(const symbolic::Expr &product);
    void add(Terms &terms, std::size_t i, std::int64_t count);

    bool m_fits = true; ///< whether the formula that is being split has had only sums that fit
    std::vector<symbolic::Expr> m_products{symbolic::Expr::integer(1)};
    std::map<Terms, ir::Dim> m_sums;
    std::unordered_map<const void *, std::optional<Terms>> m_formulas; ///< by the identity; they outlive this
    std::unordered_map<std::int64_t, std::optional<Terms>> m_numbers;
};

/// Adds `sign` times the terms; false if that overflows.
bool addTo(Terms &sum, const Terms &terms, std::int64_t sign);

/// The steps that no other one outdoes for all values of the symbols.
class Peak {
public:
    void offer(std::size_t step, const Terms &terms);
    /// The largest of their sums; unknown if that would be too long a formula.
    ir::Dim bytes(Products &products) const;
    /// The step, if it is one.
    std::optional<std::size_t> step() const;

private:
    struct Candidate {
        std::size_t step;
        Terms terms;
    };
    std::vector<Candidate> m_candidates;
};

} // namespace cutaway::analysis
