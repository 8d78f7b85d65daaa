// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/alternating_runs.h"

#include "core/protocol/spread.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double stable = 0.01;
constexpr std::size_t enough = 20; ///< the least number of runs after which the medians are compared

double median(std::span<const double> seconds) { return protocol::spreadOf({seconds.begin(), seconds.end()}).median; }

/// Whether the medians of the later and the earlier half of the runs agree.
bool isStable(const RunTimes &times)
{
    const std::vector<double> seconds = times.seconds();
    if (seconds.size() < enough)
        return false;
    const std::size_t half = seconds.size() / 2;
    const double before = median(std::span(seconds).first(half)), after = median(std::span(seconds).subspan(half));
    return std::abs(before - after) <= stable * before;
}

class Measurement {
public:
    explicit Measurement(double seconds) : m_seconds(seconds) { }

    bool isOver(const AlternatingRuns &runs) const
    {
        return runs.plain.counted.size() >= maxRuns || spent() >= 2 * m_seconds
            || (isStable(runs.plain) && isStable(runs.instrumented));
    }

    /// Runs a batch; the first of several runs is not counted.
    Result<void> batch(const TimedRun &run, RunTimes &times) const
    {
        const std::size_t runs = batchLength(times);
        for (std::size_t i = 0; i < runs; ++i) {
            CUTAWAY_TRY(const auto seconds, run());
            if (i > 0 || runs == 1)
                times.counted.push_back(times.all.size());
            times.all.push_back(seconds);
        }
        return {};
    }

private:
    double spent() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

    /// Returns how many runs take about a twentieth of a second, judging by the last; 1 if more would take too long.
    std::size_t batchLength(const RunTimes &times) const
    {
        constexpr double wanted = 0.05;
        constexpr std::size_t fewest = 4, most = 21;
        if (times.all.empty())
            return 2;
        const double last = std::max(times.all.back(), 1e-9);
        if (static_cast<double>(fewest) * last > m_seconds / 4)
            return 1;
        return std::clamp(static_cast<std::size_t>(std::min(wanted / last, 1e3)), fewest, most);
    }

    double m_seconds;
    Clock::time_point m_start = Clock::now();
};

} // namespace

std::vector<double> RunTimes::seconds() const
{
    std::vector<double> seconds;
    for (const std::size_t run : counted)
        seconds.push_back(all[run]);
    return seconds;
}

Result<AlternatingRuns> timeAlternately(const TimedRun &plain, const TimedRun &instrumented, double seconds)
{
    AlternatingRuns runs;
    const Measurement measurement(seconds);
    do {
        for (const auto &[run, times] : {std::pair(&plain, &runs.plain), std::pair(&instrumented, &runs.instrumented)})
            CUTAWAY_RETURN_IF_ERROR(measurement.batch(*run, *times));
    } while (!measurement.isOver(runs));
    return runs;
}

} // namespace cutaway::plugins
