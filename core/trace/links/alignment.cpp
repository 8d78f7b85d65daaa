// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/alignment.h"

#include "core/trace/limits.h"

#include <algorithm>

namespace cutaway::trace {

namespace {

using FitOf = std::function<Fit(std::size_t event, std::size_t unit)>;

std::vector<Aligned> nextInOrder(std::size_t events, std::size_t units, const FitOf &fit)
{
    constexpr std::size_t lookAhead = 1'000;
    std::vector<Aligned> pairs;
    std::size_t next = 0;
    for (std::size_t event = 0; event < events; ++event)
        for (std::size_t unit = next; unit < std::min(units, next + lookAhead); ++unit)
            if (const Fit found = fit(event, unit); found.count > 0) {
                pairs.push_back({event, unit, found.count});
                next = unit + found.count;
                break;
            }
    return pairs;
}

} // namespace

std::vector<Aligned> aligned(std::size_t events, std::size_t units, const FitOf &fit)
{
    if (units > 0 && events > limits::maxComparisons / units)
        return nextInOrder(events, units, fit);
    // `below` and `here` have the best score of the remaining events and units, and `choices` what gives it: 0 leaves
    // out the unit, 1 leaves out the event, n + 1 takes n units.
    constexpr std::uint8_t leaveUnit = 0, leaveEvent = 1;
    std::vector<std::uint32_t> below(units + 1), here(units + 1);
    std::vector<std::uint8_t> choices(events * (units + 1), leaveEvent);
    for (std::size_t event = events; event-- > 0;) {
        std::uint8_t *const choice = choices.data() + event * (units + 1);
        here[units] = below[units];
        for (std::size_t unit = units; unit-- > 0;) {
            here[unit] = below[unit];
            if (here[unit + 1] > here[unit]) {
                here[unit] = here[unit + 1];
                choice[unit] = leaveUnit;
            }
            const Fit found = fit(event, unit);
            if (found.count == 0 || unit + found.count > units)
                continue;
            // For equal sums the earlier units are preferred.
            if (const std::uint32_t sum = below[unit + found.count] + found.score;
                sum >= here[unit] && found.score > 0) {
                here[unit] = sum;
                choice[unit] = static_cast<std::uint8_t>(found.count + 1);
            }
        }
        std::swap(below, here);
    }
    std::vector<Aligned> pairs;
    for (std::size_t event = 0, unit = 0; event < events;) {
        const std::uint8_t choice = choices[event * (units + 1) + unit];
        if (choice == leaveUnit) {
            ++unit;
        } else if (choice == leaveEvent) {
            ++event;
        } else {
            pairs.push_back({event++, unit, choice - 1u});
            unit += choice - 1u;
        }
    }
    return pairs;
}

} // namespace cutaway::trace
