// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of what a trace may ask for.
namespace cutaway::trace::limits {

/// The limit of a trace's text, unpacked. A day of training has some gigabytes.
inline constexpr std::uint64_t maxText = 16ull << 30;
/// The limit of the text of one event, or of one entry of the file's header.
inline constexpr std::size_t maxValue = 64u << 20;
inline constexpr std::size_t maxEvents = 50'000'000;
/// The limit of pairs of an event and a unit that are compared to align all events; if there are more, each event takes
/// the next unit that it fits.
inline constexpr std::size_t maxComparisons = 100'000'000;

} // namespace cutaway::trace::limits
