// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace cutaway::diff {

/// How well the i-th of one sequence fits the k-th of another; 0 or less: not at all.
using Fit = std::function<int(std::uint32_t i, std::uint32_t k)>;

/// Pairs of places, growing in both sequences, whose fits have the largest sum. O(n · m) up to a few million; of longer
/// sequences only pairs near the diagonal are looked at.
std::vector<std::pair<std::uint32_t, std::uint32_t>> aligned(std::uint32_t n, std::uint32_t m, const Fit &fit);

} // namespace cutaway::diff
