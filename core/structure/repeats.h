// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/parts.h"

#include <optional>

namespace cutaway::structure {

/// Parts one after the other, by their index in Parts.
using Chain = std::vector<std::uint32_t>;

/// A part of a chain in which similar units of `period` parts follow each other (a tandem repeat).
struct Repeat {
    std::size_t begin = 0, end = 0, period = 0;
    bool isSure = false; ///< three units or more, with weights: what is inside a unit comes before what holds it
};

/// The repeats of a chain that do not overlap, each at the index where it begins. O(parts · periods), of which there is
/// a limited number.
std::vector<std::optional<Repeat>> repeatsIn(const Flow &flow, const Parts &parts, const Chain &chain);

} // namespace cutaway::structure
