// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/shape_pool.h"

#include "core/ops/facts/dim_identity.h"

namespace cutaway::ops {

namespace {

std::size_t hashOf(const ir::Shape &shape)
{
    std::size_t seed = shape.size();
    for (const ir::Dim &size : shape)
        combineIdentity(seed, size);
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
