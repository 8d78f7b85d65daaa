// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <boost/container_hash/hash.hpp>
#include <cstddef>

namespace cutaway::ops {

/// Combines a size into a hash. A formula is hashed by its object's identity: equal formulas that are different
/// objects have different hashes. This is for sizes that mostly share the same objects.
inline void combineIdentity(std::size_t &seed, const ir::Dim &dim)
{
    boost::hash_combine(seed, dim.index());
    if (const auto *n = std::get_if<std::int64_t>(&dim))
        boost::hash_combine(seed, *n);
    else if (const auto *formula = std::get_if<symbolic::Expr>(&dim))
        boost::hash_combine(seed, formula->identity());
}

} // namespace cutaway::ops
