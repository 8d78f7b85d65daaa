// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/memory_use.h"

#include "core/base/checked.h"

#include <algorithm>
#include <map>

namespace cutaway::trace {

namespace {

/// The rows of each lane by start.
class RowTimes {
public:
    RowTimes(const Trace &trace, const Linked &linked) : m_trace(trace), m_linked(linked)
    {
        for (std::size_t i = 0; i < linked.rows.size(); ++i)
            m_lanes[trace.events[linked.rows[i].event].lane].push_back(i);
        for (auto &[lane, rows] : m_lanes)
            std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return linked.rows[row].event; });
    }

    /// The row in whose event a time lies; of rows in each other the inner one.
    std::optional<std::size_t> at(TextId lane, std::int64_t time) const
    {
        const auto rows = m_lanes.find(lane);
        if (rows == m_lanes.end())
            return std::nullopt;
        auto after =
            std::ranges::upper_bound(rows->second, time, {}, [&](std::size_t row) { return event(row).start; });
        constexpr int mostTried = 100; // rows that lie in each other: there are few
        for (int tried = 0; after != rows->second.begin() && tried < mostTried; ++tried)
            if (const std::size_t row = *--after; event(row).end() >= time)
                return row;
        return std::nullopt;
    }

private:
    const Event &event(std::size_t row) const { return m_trace.events[m_linked.rows[row].event]; }

    const Trace &m_trace;
    const Linked &m_linked;
    std::map<TextId, std::vector<std::size_t>> m_lanes;
};

/// Follows the memory of a device. What is live at the peak is found in a second pass, so that a long trace needs no
/// copy at each new peak.
class Follower {
public:
    void add(const MemoryEvent &event)
    {
        m_bytes = checkedAdd(m_bytes, event.bytes).value_or(m_bytes);
        if (event.bytes >= 0)
            m_live[event.address] = &event;
        else if (m_live.erase(event.address) == 0)
            ++use.releasedUnseen;
        if (!use.curve.empty() && use.curve.back().time == event.time)
            use.curve.back().bytes = m_bytes;
        else
            use.curve.push_back({event.time, m_bytes});
    }

    const std::map<std::uint64_t, const MemoryEvent *> &live() const { return m_live; }

    MemoryUse use;

private:
    std::int64_t m_bytes = 0;
    std::map<std::uint64_t, const MemoryEvent *> m_live; ///< by address
};

std::vector<Allocation> liveAt(const Trace &trace, const MemoryUse &use, const RowTimes &rows)
{
    Follower until;
    for (const MemoryEvent &event : trace.memory)
        if (event.device == use.device && event.time <= use.curve[use.peak].time)
            until.add(event);
    std::vector<Allocation> live;
    for (const auto &[address, event] : until.live())
        live.push_back({event->bytes, event->time, rows.at(event->lane, event->time)});
    std::ranges::stable_sort(live, std::greater(), &Allocation::bytes);
    return live;
}

} // namespace

std::vector<MemoryUse> memoryUse(const Trace &trace, const Linked &linked)
{
    std::map<TextId, Follower> devices;
    for (const MemoryEvent &event : trace.memory)
        devices[event.device].add(event);
    if (devices.empty())
        return {};
    const RowTimes rows(trace, linked);
    std::vector<MemoryUse> uses;
    for (auto &[device, follower] : devices) {
        MemoryUse &use = uses.emplace_back(std::move(follower.use));
        use.device = device;
        const auto peak = std::ranges::max_element(use.curve, {}, &MemoryUse::Point::bytes);
        use.peak = static_cast<std::size_t>(peak - use.curve.begin());
        use.liveAtPeak = liveAt(trace, use, rows);
    }
    return uses;
}

} // namespace cutaway::trace
