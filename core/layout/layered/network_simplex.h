// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cutaway::layout {

/// Demands that the position of `to` is at least `least` after that of `from`; each further step costs `weight`.
struct Span {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int32_t least = 1;
    std::int32_t weight = 1;
};

/// Improves positions that satisfy all spans until Σ weight · (to − from) is minimal, or this much work is done,
/// counted in visited vertices. The spans form no cycle. See network_simplex.cpp.
void shortenSpans(std::vector<std::int32_t> &positions, std::span<const Span> spans, std::size_t work);

} // namespace cutaway::layout
