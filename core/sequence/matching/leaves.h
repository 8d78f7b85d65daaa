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
    std::string_view name, target;   ///< the target: the weight's name, or ""
    ops::Fact fact;                  ///< the value's type and sizes, as far as they are known
    bool isKnown;                    ///< it is a tensor of a known dtype, whose sizes are numbers
    std::optional<std::size_t> read; ///< how many leaves the graph's nodes read before it; nothing: none reads it
};

/// How leaves belong together that neither a name nor a weight connects.
enum class Pairing : std::uint8_t { ByPosition, ByUse };

/// For each leaf of `b` the position of the one of `a` that it is; leaves without a counterpart count on behind those
/// of `a`.
std::vector<std::size_t> pairedLeaves(std::span<const Leaf> a, std::span<const Leaf> b, Pairing pairing);

} // namespace cutaway::sequence
