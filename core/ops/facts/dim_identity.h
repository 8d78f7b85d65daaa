// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <boost/container_hash/hash.hpp>
#include <cstddef>

namespace cutaway::ops {

/// For hashes of what is mostly made of the same formulas: those that are equal only when they are looked into differ.
inline void combineIdentity(std::size_t &seed, const ir::Dim &dim)
{
    boost::hash_combine(seed, dim.index());
    if (const auto *n = std::get_if<std::int64_t>(&dim))
        boost::hash_combine(seed, *n);
    else if (const auto *formula = std::get_if<symbolic::Expr>(&dim))
        boost::hash_combine(seed, formula->identity());
}

} // namespace cutaway::ops
