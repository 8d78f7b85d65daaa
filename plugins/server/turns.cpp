// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/turns.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double stable = 0.01;
constexpr std::size_t enough = 20; ///< runs, before the medians are looked at

/// The value below which this part of a sorted list lies, between two where it must.
double quantile(const std::vector<double> &sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double median(std::span<const double> seconds) { return spreadOf({seconds.begin(), seconds.end()}).median; }

/// Whether the later half of the runs took as long as the earlier one.
bool isStable(const TurnTimes &times)
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

    bool isOver(const Turns &turns) const
    {
        return turns.plain.counted.size() >= maxRuns || spent() >= 2 * m_seconds
            || (isStable(turns.plain) && isStable(turns.instrumented));
    }

    /// Some runs; the first of several does not count.
    Result<void> turn(const TimedRun &run, TurnTimes &times) const
    {
        const std::size_t runs = turnLength(times);
        for (std::size_t i = 0; i < runs; ++i) {
            const auto seconds = run();
            if (!seconds)
                return std::unexpected(seconds.error());
            if (i > 0 || runs == 1)
                times.counted.push_back(times.all.size());
            times.all.push_back(*seconds);
        }
        return {};
    }

private:
    double spent() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

    /// For about a twentieth of a second, by what the last run took; one where more would take too long.
    std::size_t turnLength(const TurnTimes &times) const
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

protocol::Spread spreadOf(std::vector<double> seconds)
{
    if (seconds.empty())
        return {};
    std::ranges::sort(seconds);
    return {quantile(seconds, 0.5), quantile(seconds, 0.05), quantile(seconds, 0.95), seconds.size()};
}

std::vector<double> TurnTimes::seconds() const
{
    std::vector<double> seconds;
    for (const std::size_t run : counted)
        seconds.push_back(all[run]);
    return seconds;
}

Result<Turns> timeInTurns(const TimedRun &plain, const TimedRun &instrumented, double seconds)
{
    Turns turns;
    const Measurement measurement(seconds);
    do {
        for (const auto &[run, times] :
             {std::pair(&plain, &turns.plain), std::pair(&instrumented, &turns.instrumented)})
            if (const auto done = measurement.turn(*run, *times); !done)
                return std::unexpected(done.error());
    } while (!measurement.isOver(turns));
    return turns;
}

} // namespace cutaway::plugins
