// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/nesting.h"

#include <algorithm>

namespace cutaway::trace {

bool isOnHost(Category category)
{
    return category == Category::Operator || category == Category::Annotation || category == Category::Run;
}

Nesting::Nesting(const Trace &trace)
    : m_trace(trace),
      m_parents(trace.events.size(), none),
      m_firsts(trace.events.size() + 2)
{
    const auto count = static_cast<EventIndex>(trace.events.size());
    const auto isLaunch = [](const Event &event) { return event.category == Category::Launch; };
    const bool hasLaunches = std::ranges::any_of(trace.events, isLaunch);
    std::unordered_map<TextId, std::vector<EventIndex>> running; // by lane, the innermost last
    for (EventIndex i = 0; i < count; ++i) {
        const Event &event = trace.events[i];
        if (!isOnHost(event.category))
            continue;
        auto &around = running[event.lane];
        while (!around.empty() && event.start >= trace.events[around.back()].end())
            around.pop_back();
        if (!around.empty())
            m_parents[i] = around.back();
        around.push_back(i);
        if (hasLaunches)
            m_lanes[event.lane].push_back(i);
        ++m_firsts[placeOf(i) + 1];
    }
    for (std::size_t i = 1; i < m_firsts.size(); ++i)
        m_firsts[i] += m_firsts[i - 1];
    m_contents.resize(m_firsts.back());
    // Each list is filled from its end, so that the index moves to its beginning.
    for (EventIndex i = count; i-- > 0;)
        if (isOnHost(trace.events[i].category))
            m_contents[--m_firsts[placeOf(i) + 1]] = i;
    m_firsts.erase(m_firsts.begin());
    m_firsts.push_back(static_cast<std::uint32_t>(m_contents.size()));
}

std::size_t Nesting::placeOf(EventIndex event) const
{
    return m_parents[event] == none ? m_parents.size() : m_parents[event];
}

std::optional<EventIndex> Nesting::parentOf(EventIndex event) const
{
    return m_parents[event] == none ? std::nullopt : std::optional(m_parents[event]);
}

std::span<const EventIndex> Nesting::in(EventIndex event) const
{
    return std::span(m_contents).subspan(m_firsts[event], m_firsts[event + 1] - m_firsts[event]);
}

std::span<const EventIndex> Nesting::outermost() const
{
    return std::span(m_contents).subspan(m_firsts[m_firsts.size() - 2]);
}

std::optional<EventIndex> Nesting::runningAt(TextId lane, std::int64_t time) const
{
    const auto found = m_lanes.find(lane);
    if (found == m_lanes.end())
        return std::nullopt;
    const auto after =
        std::ranges::upper_bound(found->second, time, {}, [this](EventIndex i) { return m_trace.events[i].start; });
    if (after == found->second.begin())
        return std::nullopt;
    std::optional<EventIndex> event = *std::prev(after);
    while (event && m_trace.events[*event].end() < time)
        event = parentOf(*event);
    return event;
}

} // namespace cutaway::trace
