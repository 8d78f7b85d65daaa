// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <cstddef>
#include <unordered_set>

namespace cutaway::symbolic {

/// Makes equal expressions share one tree, for example the costs of a model's thousands of equal layers.
class Pool {
public:
    /// Returns the first expression in the pool that is equal to `expr`. If there is none, adds `expr` and returns it.
    Expr shared(const Expr &expr) { return *m_all.insert(expr).first; }
    std::size_t size() const { return m_all.size(); }

private:
    struct Hash {
        std::size_t operator()(const Expr &expr) const;
    };
    std::unordered_set<Expr, Hash> m_all;
};

} // namespace cutaway::symbolic
