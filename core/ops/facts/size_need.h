// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <vector>

namespace cutaway::ops {

/// A condition that has to hold of two sizes for a node to run, where formulas leave it open. A rule goes on as if it
/// held.
struct SizeNeed {
    enum class Kind : std::uint8_t {
        Equal,    ///< a = b
        Fitting,  ///< a = b, or one of both is 1: they are broadcast
        AtLeast,  ///< a >= b
        Multiple, ///< b divides a
    };
    Kind kind;
    ir::Dim a, b;

    bool operator==(const SizeNeed &) const = default;
};
using SizeNeeds = std::vector<SizeNeed>;

} // namespace cutaway::ops
