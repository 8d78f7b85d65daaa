// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/spread.h"

#include <optional>
#include <string_view>

namespace cutaway::run {

enum class Verdict : std::uint8_t {
    New,    ///< only the second measurement has it
    Gone,   ///< only the first one has it
    Slower, ///< the ranges from 5 % to 95 % do not overlap
    Faster,
    WithinNoise, ///< they do
    NotKnown,    ///< a side has fewer runs than fewestForNoise
};
/// With so many on each side, the ranges of two equal programs do not overlap in about one of eighty cases, if times
/// are spread normally; with three on each, in one of eight.
inline constexpr std::size_t fewestForNoise = 5;
std::string_view name(Verdict verdict); ///< "within the noise"

/// A time that was measured twice; one side may lack it.
struct TimeChange {
    std::optional<protocol::Spread> before, after;

    Verdict verdict() const;
    std::optional<double> ratio() const; ///< after / before
    double difference() const;           ///< after - before, of the medians in seconds; a side without it counts as 0
};

} // namespace cutaway::run
