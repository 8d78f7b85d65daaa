// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/memory_use.h"

#include "core/base/checked.h"

#include <algorithm>
#include <map>

namespace cutaway::trace {

namespace {

/// The rows of each lane by start, each with the row that contains it.
class RowTimes {
public:
    RowTimes(const Trace &trace, const Linked &linked) : m_trace(trace), m_linked(linked), m_around(linked.rows.size())
    {
        for (std::size_t i = 0; i < linked.rows.size(); ++i)
            m_lanes[trace.events[linked.rows[i].event].lane].push_back(i);
        for (auto &[lane, rows] : m_lanes) {
            std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return linked.rows[row].event; });
            std::vector<std::size_t> running; // the rows that are running, the innermost last
            for (const std::size_t row : rows) {
                while (!running.empty() && event(running.back()).end() <= event(row).start)
                    running.pop_back();
                if (!running.empty())
                    m_around[row] = running.back();
                running.push_back(row);
            }
        }
    }

    /// Returns the row during whose event a time lies; the innermost one if there are several.
    std::optional<std::size_t> at(TextId lane, std::int64_t time) const
    {
        const auto rows = m_lanes.find(lane);
        if (rows == m_lanes.end())
            return std::nullopt;
        const auto after =
            std::ranges::upper_bound(rows->second, time, {}, [&](std::size_t row) { return event(row).start; });
        if (after == rows->second.begin())
            return std::nullopt;
        std::optional<std::size_t> row = *std::prev(after);
        while (row && event(*row).end() < time)
            row = m_around[*row];
        return row;
    }

private:
    const Event &event(std::size_t row) const { return m_trace.events[m_linked.rows[row].event]; }

    const Trace &m_trace;
    const Linked &m_linked;
    std::map<TextId, std::vector<std::size_t>> m_lanes;
    std::vector<std::optional<std::size_t>> m_around; ///< by row: the row around it
};

/// Follows the memory of a device. The allocations that are live at the peak are found in a second pass, so that a long
/// trace needs no copy at each new peak.
class Follower {
public:
    void add(const MemoryEvent &event)
    {
        const auto known = m_live.find(event.address);
        if (known != m_live.end()) {
            m_bytes -= known->second->bytes;
            m_live.erase(known);
        } else if (event.bytes < 0) {
            ++use.releasedUnseen;
        }
        if (const auto sum = checkedAdd(m_bytes, event.bytes); sum && event.bytes >= 0) {
            m_bytes = *sum;
            m_live.emplace(event.address, &event);
        }
        if (!use.curve.empty() && use.curve.back().time == event.time)
            use.curve.back().bytes = m_bytes;
        else
            use.curve.push_back({event.time, m_bytes});
    }

    const std::map<std::uint64_t, const MemoryEvent *> &live() const { return m_live; }

    MemoryUse use;

private:
    std::int64_t m_bytes = 0;                            ///< the sum of the sizes in m_live
    std::map<std::uint64_t, const MemoryEvent *> m_live; ///< by address
};

std::vector<Allocation> liveAt(std::int64_t time, const std::vector<const MemoryEvent *> &events, const RowTimes &rows)
{
    Follower until;
    for (const MemoryEvent *const event : events)
        if (event->time <= time)
            until.add(*event);
    std::vector<Allocation> live;
    for (const auto &[address, event] : until.live())
        live.push_back({event->bytes, event->time, rows.at(event->lane, event->time)});
    std::ranges::stable_sort(live, std::greater(), &Allocation::bytes);
    return live;
}

/// Returns the point of the curve at the end of the warm-up; its start if there is no warm-up, or nothing after it.
std::vector<MemoryUse::Point>::const_iterator behindWarmUp(const std::vector<MemoryUse::Point> &curve,
                                                           const Linked &linked)
{
    const auto warmUp = std::ranges::find(linked.iterations, true, &Iteration::isWarmUp);
    if (warmUp == linked.iterations.end())
        return curve.begin();
    const auto next = std::ranges::upper_bound(curve, warmUp->start + warmUp->duration, {}, &MemoryUse::Point::time);
    return next == curve.begin() || next == curve.end() ? curve.begin() : std::prev(next);
}

void findPeak(MemoryUse &use, const Linked &linked)
{
    const std::vector<MemoryUse::Point> &curve = use.curve;
    const auto behind = behindWarmUp(curve, linked);
    const auto peak = std::ranges::max_element(behind, curve.end(), {}, &MemoryUse::Point::bytes);
    use.peak = static_cast<std::size_t>(peak - curve.begin());
    for (auto point = curve.begin(); point != behind; ++point)
        use.warmUpPeak = std::max(use.warmUpPeak, point->bytes);
}

void addNodes(MemoryUse &use, const Trace &trace, const Linked &linked)
{
    for (const Row &row : linked.rows) {
        const Event &event = trace.events[row.event];
        if (row.phase == Phase::Backward || linked.iterations[row.iteration].isWarmUp)
            continue;
        const std::int64_t taken = use.mostWithin(event.start, event.end());
        for (const ir::NodeId node : row.link.nodes)
            use.byNode[node] = std::max(use.byNode[node], taken);
    }
}

} // namespace

std::int64_t MemoryUse::mostWithin(std::int64_t from, std::int64_t to) const
{
    auto point = std::ranges::upper_bound(curve, from, {}, &Point::time);
    std::int64_t most = point == curve.begin() ? 0 : std::prev(point)->bytes;
    for (; point != curve.end() && point->time <= to; ++point)
        most = std::max(most, point->bytes);
    return most;
}

std::vector<MemoryUse> memoryUse(const Trace &trace, const Linked &linked)
{
    std::map<TextId, std::vector<const MemoryEvent *>> devices;
    for (const MemoryEvent &event : trace.memory)
        devices[event.device].push_back(&event);
    if (devices.empty())
        return {};
    const RowTimes rows(trace, linked);
    std::vector<MemoryUse> uses;
    for (const auto &[device, events] : devices) {
        Follower follower;
        for (const MemoryEvent *const event : events)
            follower.add(*event);
        MemoryUse &use = uses.emplace_back(std::move(follower.use));
        use.device = device;
        findPeak(use, linked);
        use.liveAtPeak = liveAt(use.curve[use.peak].time, events, rows);
        addNodes(use, trace, linked);
    }
    return uses;
}

} // namespace cutaway::trace
