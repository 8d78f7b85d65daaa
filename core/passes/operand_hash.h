// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

#include <bit>
#include <functional>

namespace cutaway::passes {

inline std::uint64_t combined(std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t mixed = (a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9ull;
    return mixed ^ (mixed >> 31);
}

template <class Tag>
std::uint64_t hashOf(ir::Id<Tag> id)
{
    return combined(0, id.index);
}

/// Hashes an operand. Equal operands have equal hashes, except 0.0 and -0.0, which compare equal.
std::uint64_t hashOf(const ir::Operand &operand);

} // namespace cutaway::passes
