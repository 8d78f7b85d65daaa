// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/spread.h"

#include <optional>
#include <string_view>

namespace cutaway::run {

enum class Verdict : std::uint8_t {
    New,    ///< only the second profile has the time
    Gone,   ///< only the first profile has the time
    Slower, ///< the ranges between the 5th and the 95th percentile do not overlap
    Faster,
    WithinNoise, ///< the difference is within the noise
    NotKnown,    ///< a side has fewer runs than fewestForNoise
};
/// The least number of runs on each side for a verdict. With five, the ranges of two equal programs do not overlap in
/// about one of eighty cases, if times are normally distributed; with three, in one of eight.
inline constexpr std::size_t fewestForNoise = 5;
std::string_view name(Verdict verdict); ///< "within the noise"

/// A time that was measured twice; one side may lack it.
struct TimeChange {
    std::optional<protocol::Spread> before, after;

    Verdict verdict() const;
    std::optional<double> ratio() const; ///< time after divided by time before
    /// Returns the difference of the medians in seconds, after minus before; a missing one counts as 0.
    double difference() const;
};

} // namespace cutaway::run
