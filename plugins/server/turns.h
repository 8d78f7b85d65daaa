// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace cutaway::plugins {

/// The spread of times in seconds; of none all is 0.
protocol::Spread spreadOf(std::vector<double> seconds);

/// Runs a model once and gives the seconds. Errors end the measurement.
using TimedRun = std::function<Result<double>()>;

/// Times of one of the two ways to run a model, in their order.
struct TurnTimes {
    std::vector<double> all;             ///< those that do not count, too
    std::vector<std::size_t> counted;    ///< places in `all`
    std::vector<double> seconds() const; ///< those that count
};

/// Both ways, in turns of a few runs each: whatever else the machine does then meets both alike. The first run of a
/// turn does not count, threads of the other one may still be spinning. Ends when both medians are stable, after
/// `maxRuns`, or when twice `seconds` are over, but not before each has run once.
struct Turns {
    TurnTimes plain, instrumented;
};
Result<Turns> timeInTurns(const TimedRun &plain, const TimedRun &instrumented, double seconds);
inline constexpr std::size_t maxRuns = 200; ///< that count

} // namespace cutaway::plugins
