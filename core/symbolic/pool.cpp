// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/pool.h"

#include <boost/container_hash/hash.hpp>

namespace cutaway::symbolic {

namespace {

/// Hashes only the upper `levels` levels of the tree, because one expression may be a part of another many times.
void addTo(std::size_t &seed, const Expr &expr, int levels)
{
    boost::hash_combine(seed, static_cast<int>(expr.kind()));
    if (expr.kind() == Kind::Float)
        return boost::hash_combine(seed, expr.floatValue());
    if (expr.isConstant())
        return boost::hash_combine(seed, expr.integerValue());
    boost::hash_combine(seed, expr.name());
    for (const Expr &operand : expr.operands())
        if (levels > 0)
            addTo(seed, operand, levels - 1);
}

} // namespace

std::size_t Pool::Hash::operator()(const Expr &expr) const
{
    constexpr int levels = 3;
    std::size_t seed = 0;
    addTo(seed, expr, levels);
    return seed;
}

} // namespace cutaway::symbolic
