// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <vector>

namespace cutaway::ops {

/// A condition on two sizes that a node needs, where formulas leave it open. The rule assumes that it holds.
struct SizeNeed {
    enum class Kind : std::uint8_t {
        Equal,    ///< a = b
        Fitting,  ///< a = b, or one of the two is 1: they are broadcast
        AtLeast,  ///< a >= b
        Multiple, ///< b divides a
    };
    Kind kind;
    ir::Dim a, b;

    bool operator==(const SizeNeed &) const = default;
};
using SizeNeeds = std::vector<SizeNeed>;

} // namespace cutaway::ops
