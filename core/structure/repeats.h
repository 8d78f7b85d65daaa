// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/parts.h"

#include <optional>

namespace cutaway::structure {

/// Consecutive parts by their index in Parts.
using Chain = std::vector<std::uint32_t>;

/// A part of a chain in which similar units of `period` parts follow each other (a tandem repeat).
struct Repeat {
    std::size_t begin = 0, end = 0, period = 0;
    bool isSure = false; ///< whether it has three or more units with weights, and so is preferred to longer ones
};

/// Returns the repeats of a chain, which do not overlap, each at the index where it begins. O(parts · periods); the
/// number of periods is limited.
std::vector<std::optional<Repeat>> repeatsIn(const Flow &flow, const Parts &parts, const Chain &chain);

} // namespace cutaway::structure
