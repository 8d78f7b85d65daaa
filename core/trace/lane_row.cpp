// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/lane_row.h"

#include <algorithm>

// A row is a pyramid. Its lowest level is its events; above are blocks of `blockSize` events, above these blocks of as
// many blocks, and so on. A block has its longest event, and the time of all of its events. The events of a pixel are
// then summed up from few blocks: single events at both ends of the pixel, larger and larger blocks between. The end of
// a pixel's events is found by bisection, so a whole picture takes O(pixels · log events).

namespace cutaway::trace {

namespace {

constexpr std::size_t blockSize = 8;
constexpr std::size_t markDistance = 64;

void add(auto &block, const auto &more)
{
    if (more.most > block.most) {
        block.most = more.most;
        block.longest = more.longest;
    }
    block.busy += more.busy;
}

} // namespace

LaneRow::LaneRow(std::vector<EventIndex> events, const std::vector<Event> &all) : m_events(std::move(events))
{
    m_starts.reserve(m_events.size());
    m_ends.reserve(m_events.size());
    for (const EventIndex event : m_events) {
        if (m_starts.size() % markDistance == 0)
            m_marks.push_back(all[event].start);
        m_starts.push_back(all[event].start);
        m_ends.push_back(all[event].end());
    }
    for (std::size_t below = m_events.size(); below >= blockSize; below = m_levels.back().size()) {
        std::vector<Block> level(below / blockSize);
        for (std::size_t i = 0; i < level.size() * blockSize; ++i) {
            const Block more = m_levels.empty() ? blockOf(i) : m_levels.back()[i];
            if (i % blockSize == 0)
                level[i / blockSize] = more;
            else
                add(level[i / blockSize], more);
        }
        m_levels.push_back(std::move(level));
    }
}

LaneRow::Block LaneRow::sumOf(std::size_t first, std::size_t end) const
{
    Block sum = blockOf(first++);
    const auto take = [&](std::size_t level, std::size_t i) {
        add(sum, level == 0 ? blockOf(i) : m_levels[level - 1][i]);
    };
    for (std::size_t level = 0; first < end; ++level, first /= blockSize, end /= blockSize) {
        while (first < end && first % blockSize != 0)
            take(level, first++);
        while (first < end && end % blockSize != 0)
            take(level, --end);
    }
    return sum;
}

/// Returns the first event after `i` that begins at a time or later. Marks are searched first: few enough to stay in
/// the cache.
std::size_t LaneRow::firstFrom(std::size_t i, std::int64_t time) const
{
    if (i + 1 == m_starts.size() || m_starts[i + 1] >= time)
        return i + 1;
    const auto mark = std::lower_bound(m_marks.begin() + std::ptrdiff_t(i / markDistance), m_marks.end(), time);
    const std::size_t end = std::min(std::size_t(mark - m_marks.begin()) * markDistance, m_starts.size());
    const std::size_t begin = std::max(i + 1, end - std::min(end, markDistance));
    return std::size_t(
        std::lower_bound(m_starts.begin() + std::ptrdiff_t(begin), m_starts.begin() + std::ptrdiff_t(end), time)
        - m_starts.begin());
}

void LaneRow::visit(std::int64_t from, std::int64_t to, std::int64_t resolution,
                    const std::function<void(const Stretch &)> &visitor) const
{
    const auto first = std::ranges::upper_bound(m_ends, from);
    for (auto i = std::size_t(first - m_ends.begin()); i < m_events.size() && m_starts[i] < to;) {
        const std::int64_t start = m_starts[i];
        std::size_t end = i + 1;
        if (durationOf(i) < resolution) {
            const std::int64_t within = ((start % resolution) + resolution) % resolution;
            end = firstFrom(i, start + resolution - within);
            if (end > i + 1 && durationOf(end - 1) >= resolution)
                --end; // only the last event may extend beyond the multiple
        }
        const Block sum = sumOf(i, end);
        visitor({start, m_ends[end - 1], sum.busy, m_events[sum.longest], end - i});
        i = end;
    }
}

std::size_t LaneRow::countWithin(std::int64_t from, std::int64_t to) const
{
    const auto first = std::ranges::upper_bound(m_ends, from) - m_ends.begin();
    const auto end = std::ranges::lower_bound(m_starts, to) - m_starts.begin();
    return static_cast<std::size_t>(std::max(end - first, std::ptrdiff_t{0}));
}

std::optional<EventIndex> LaneRow::at(std::int64_t time, std::int64_t tolerance) const
{
    const auto after = std::size_t(std::ranges::upper_bound(m_starts, time) - m_starts.begin());
    std::optional<EventIndex> nearest;
    std::int64_t distance = tolerance;
    if (after < m_events.size() && m_starts[after] - time <= distance) {
        nearest = m_events[after];
        distance = m_starts[after] - time;
    }
    if (after > 0 && time - m_ends[after - 1] <= distance)
        nearest = m_events[after - 1];
    return nearest;
}

} // namespace cutaway::trace
