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
        m_lanes[event.lane].push_back(i);
        ++m_firsts[(m_parents[i] == none ? count : m_parents[i]) + 1];
    }
    for (std::size_t i = 1; i < m_firsts.size(); ++i)
        m_firsts[i] += m_firsts[i - 1];
    std::vector<std::size_t> next(m_firsts);
    m_contents.resize(m_firsts.back());
    for (EventIndex i = 0; i < count; ++i)
        if (isOnHost(trace.events[i].category))
            m_contents[next[m_parents[i] == none ? count : m_parents[i]]++] = i;
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
