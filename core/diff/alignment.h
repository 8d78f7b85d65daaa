// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace cutaway::diff {

/// Returns the score of matching the i-th element of one sequence with the k-th of another; 0 or less: no match.
using Fit = std::function<int(std::uint32_t i, std::uint32_t k)>;

/// Returns the index pairs, increasing in both sequences, with the largest sum of scores. O(n · m) up to a few million;
/// for longer sequences only pairs near the diagonal are tried.
std::vector<std::pair<std::uint32_t, std::uint32_t>> aligned(std::uint32_t n, std::uint32_t m, const Fit &fit);

} // namespace cutaway::diff
