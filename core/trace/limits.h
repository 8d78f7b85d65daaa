// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// How much a trace may ask for.
namespace cutaway::trace::limits {

/// The text of a trace, unpacked. A day of training has some gigabytes.
inline constexpr std::uint64_t maxText = 16ull << 30;
/// The text of one event, or of one entry of its file's header.
inline constexpr std::size_t maxValue = 64u << 20;
inline constexpr std::size_t maxEvents = 50'000'000;
/// Pairs of an event and a node that are compared to find an order; of longer runs only the neighbourhood is compared.
inline constexpr std::size_t maxComparisons = 100'000'000;

} // namespace cutaway::trace::limits
