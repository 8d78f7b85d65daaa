// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/timeline.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <set>

namespace cutaway::trace {

namespace {

constexpr std::uint32_t ownerless = ~std::uint32_t{0};
constexpr ir::NodeId nodeless{~std::uint32_t{0}};

bool isOnDevice(const Event &event) { return event.category == Category::Device; }

std::pair<std::string_view, std::string_view> processAndThread(std::string_view lane)
{
    const std::size_t slash = lane.find('/');
    return slash == std::string_view::npos ? std::pair(std::string_view(), lane)
                                           : std::pair(lane.substr(0, slash), lane.substr(slash + 1));
}

std::string nameOfStream(const Trace &trace, const Event &event)
{
    const auto [device, stream] = processAndThread(trace.texts.at(event.lane));
    const Details &details = trace.detailsOf(event);
    return formatted("device {}, stream {}", details.device ? std::to_string(*details.device) : std::string(device),
                     details.stream == TextId::None ? stream : trace.texts.at(details.stream));
}

std::string nameOfThread(const Trace &trace, const Event &event, bool isOneProcess)
{
    const auto [process, thread] = processAndThread(trace.texts.at(event.lane));
    return isOneProcess ? formatted("thread {}", thread) : formatted("process {}, thread {}", process, thread);
}

} // namespace

Timeline::Timeline(const Trace &trace, const Linked &linked)
    : m_trace(trace),
      m_linked(linked),
      m_owners(trace.events.size(), ownerless),
      m_rows(trace.events.size())
{
    for (const Row &row : linked.rows)
        addOwned(row.event, row.link);
    for (const DeviceRow &row : linked.devices) {
        addOwned(row.event, row.link);
        if (row.launchedBy) {
            m_launches.emplace_back(*row.launchedBy, row.event);
            m_launchers.emplace(row.event, *row.launchedBy);
        }
    }
    std::ranges::sort(m_nodes);
    std::ranges::sort(m_launches);
    makeLanes();
}

void Timeline::addOwned(EventIndex event, const Link &link)
{
    m_owners[event] = static_cast<std::uint32_t>(m_owned.size());
    m_owned.push_back({&link, event, link.nodes.empty() ? nodeless : link.nodes.front()});
    for (const ir::NodeId node : link.nodes)
        m_nodes.emplace_back(node, event);
}

/// Returns the first row below that of the event around it in which nothing is running any more. So events that overlap
/// without lying in each other alternate between few rows.
std::size_t Timeline::rowFor(const Event &event, const Draft &lane) const
{
    std::size_t row = lane.around.empty() ? 0 : lane.around.back().row + 1;
    while (row < lane.rows.size() && m_trace.events[lane.rows[row].back()].end() > event.start)
        ++row;
    return std::min(row, maxRows);
}

/// Adds the events to rows of their lanes. An event without a link gets that of the innermost event around it.
std::unordered_map<TextId, Timeline::Draft> Timeline::draftLanes()
{
    const std::vector<Event> &events = m_trace.events;
    std::unordered_map<TextId, Draft> drafts;
    for (EventIndex i = 0; i < events.size(); ++i) {
        const Event &event = events[i];
        m_end = std::max(m_end, event.end());
        Draft &lane = drafts.try_emplace(event.lane, Draft{.first = i}).first->second;
        const auto liesIn = [&event](const Event &other) {
            return event.start < other.end() && event.end() <= other.end();
        };
        while (!lane.around.empty() && !liesIn(events[lane.around.back().event]))
            lane.around.pop_back();
        if (m_owners[i] != ownerless)
            lane.time += static_cast<double>(event.duration);
        else if (!lane.around.empty())
            m_owners[i] = m_owners[lane.around.back().event];
        const std::size_t row = rowFor(event, lane);
        m_rows[i] = static_cast<std::uint8_t>(row);
        if (row < maxRows) {
            if (row == lane.rows.size())
                lane.rows.emplace_back();
            lane.rows[row].push_back(i);
        }
        lane.around.push_back({i, row});
    }
    return drafts;
}

void Timeline::makeLanes()
{
    const std::vector<Event> &events = m_trace.events;
    if (events.empty())
        return;
    m_start = m_end = events.front().start;
    auto drafts = draftLanes();
    std::vector<std::pair<TextId, Draft *>> ordered;
    std::set<std::string_view> processes;
    for (auto &[lane, draft] : drafts) {
        ordered.emplace_back(lane, &draft);
        if (!isOnDevice(events[draft.first]))
            processes.insert(processAndThread(m_trace.texts.at(lane)).first);
    }
    std::ranges::sort(ordered, {}, [&](const auto &each) {
        const bool onDevice = isOnDevice(events[each.second->first]);
        return std::tuple(onDevice, onDevice ? 0.0 : -each.second->time, each.second->first);
    });
    for (const auto &[id, draft] : ordered) {
        const Event &first = events[draft->first];
        Lane lane{isOnDevice(first) ? nameOfStream(m_trace, first)
                                    : nameOfThread(m_trace, first, processes.size() == 1),
                  isOnDevice(first),
                  {}};
        for (std::vector<EventIndex> &row : draft->rows)
            lane.rows.emplace_back(std::move(row), events);
        m_laneOf.emplace(id, m_lanes.size());
        m_lanes.push_back(std::move(lane));
    }
}

std::optional<Timeline::Place> Timeline::placeOf(EventIndex event) const
{
    return m_rows[event] < maxRows ? std::optional(Place{m_laneOf.at(m_trace.events[event].lane), m_rows[event]})
                                   : std::nullopt;
}

const Link *Timeline::linkOf(EventIndex event) const
{
    return m_owners[event] == ownerless ? nullptr : m_owned[m_owners[event]].link;
}

std::optional<ir::NodeId> Timeline::firstNodeOf(EventIndex event) const
{
    const std::uint32_t owner = m_owners[event];
    return owner == ownerless || m_owned[owner].node == nodeless ? std::nullopt : std::optional(m_owned[owner].node);
}

std::optional<EventIndex> Timeline::linkedEvent(EventIndex event) const
{
    return m_owners[event] == ownerless ? std::nullopt : std::optional(m_owned[m_owners[event]].event);
}

std::vector<EventIndex> Timeline::eventsOf(ir::NodeId node) const
{
    std::vector<EventIndex> events;
    for (auto each = std::ranges::lower_bound(m_nodes, std::pair(node, EventIndex{0}));
         each != m_nodes.end() && each->first == node; ++each)
        events.push_back(each->second);
    return events;
}

std::vector<EventIndex> Timeline::launchesOf(EventIndex event) const
{
    const Event &launcher = m_trace.events[event];
    std::vector<EventIndex> launched;
    for (auto each = std::ranges::lower_bound(m_launches, std::pair(event, EventIndex{0})); each != m_launches.end();
         ++each) {
        const Event &inner = m_trace.events[each->first];
        if (inner.start >= launcher.end() && each->first != event)
            break;
        if (inner.lane == launcher.lane && inner.end() <= launcher.end())
            launched.push_back(each->second);
    }
    return launched;
}

std::optional<EventIndex> Timeline::launcherOf(EventIndex event) const
{
    const auto found = m_launchers.find(event);
    return found == m_launchers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Timeline::iterationAt(std::int64_t time) const
{
    const auto isUnderWay = [time](const Iteration &each) {
        return each.start <= time && time < each.start + each.duration;
    };
    const auto found = std::ranges::find_if(m_linked.iterations, isUnderWay);
    return found == m_linked.iterations.end() ? std::nullopt
                                              : std::optional(std::size_t(found - m_linked.iterations.begin()));
}

} // namespace cutaway::trace
