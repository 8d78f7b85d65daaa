// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace cutaway::plugins {

/// Runs a model once and returns the seconds. Errors end the measurement.
using TimedRun = std::function<Result<double>()>;

/// The times of one of the two ways to run a model, in order.
struct RunTimes {
    std::vector<double> all;             ///< the times of all runs, warm-up included
    std::vector<std::size_t> counted;    ///< the indices into `all` of the runs that count
    std::vector<double> seconds() const; ///< returns the times of the counted runs
};

struct AlternatingRuns {
    RunTimes plain, instrumented;
};
/// Runs both ways in alternating batches of a few runs, so that other load on the machine affects both alike. The first
/// run of a batch is not counted: threads of the other way may still be spinning. Ends when both medians are stable,
/// after `maxRuns`, or after twice `seconds`, but not before each way has run once. Errors: those of the runs.
Result<AlternatingRuns> timeAlternately(const TimedRun &plain, const TimedRun &instrumented, double seconds);
inline constexpr std::size_t maxRuns = 200; ///< limit of counted runs

} // namespace cutaway::plugins
