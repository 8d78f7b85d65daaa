// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "core/ops/facts/fact.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cutaway::sequence {

/// A value of a graph that no node makes: an input or a weight.
struct Leaf {
    ir::ValueId value;
    std::string_view name, target;   ///< the name, and the target: the name of the weight, or ""
    ops::Fact fact;                  ///< the known facts of the value
    bool isKnown;                    ///< whether its dtype and all of its sizes are known numbers
    std::optional<std::size_t> read; ///< the number of leaves read before this one; nothing: no node reads it
};

/// How leaves are paired if neither a name nor a weight connects them.
enum class Pairing : std::uint8_t { ByPosition, ByUse };

/// Returns for each leaf of `b` the index of its counterpart in `a`; leaves without one get the indices after those of
/// `a`.
std::vector<std::size_t> pairedLeaves(std::span<const Leaf> a, std::span<const Leaf> b, Pairing pairing);

} // namespace cutaway::sequence
