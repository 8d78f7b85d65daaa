// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/shape_pool.h"

#include <boost/container_hash/hash.hpp>

namespace cutaway::ops {

namespace {

/// Of formulas that are equal only when they are looked into it differs: they share nothing.
std::size_t hashOf(const ir::Shape &shape)
{
    std::size_t seed = shape.size();
    for (const ir::Dim &size : shape) {
        boost::hash_combine(seed, size.index());
        if (const auto *n = std::get_if<std::int64_t>(&size))
            boost::hash_combine(seed, *n);
        else if (const auto *formula = std::get_if<symbolic::Expr>(&size))
            boost::hash_combine(seed, formula->identity());
    }
    return seed;
}

} // namespace

Cow<ir::Shape> ShapePool::shared(Cow<ir::Shape> shape)
{
    if (!shape)
        return shape;
    const auto [known, isNew] = m_byHash.try_emplace(hashOf(*shape), shape);
    return isNew || known->second == shape ? known->second : shape;
}

} // namespace cutaway::ops
