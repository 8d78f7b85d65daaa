// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/idle_time.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace cutaway::trace {

namespace {

/// A device, or one of its streams.
struct Place {
    std::optional<std::int64_t> device;
    std::optional<TextId> stream; ///< nothing comes first: the device is before its streams
    auto operator<=>(const Place &) const = default;
};

/// The work at a place, by the iterations in whose time it runs.
using Work = std::map<std::size_t, std::vector<EventIndex>>;

std::int64_t endOf(const Iteration &iteration) { return iteration.start + iteration.duration; }

/// Sums gaps up by the operator that ended them.
class Waits {
public:
    Waits(const Trace &trace, const Linked &linked) : m_trace(trace)
    {
        for (const DeviceRow &row : linked.devices)
            m_rows.emplace(row.event, &row);
    }

    IdleTime sumUp(const Place &place, const Work &work, const std::vector<Iteration> &iterations) const
    {
        IdleTime time{.device = place.device, .stream = place.stream};
        std::map<Key, Sum> sums;
        for (auto next = work.begin(); next != work.end();) {
            const std::int64_t start = iterations[next->first].start;
            std::int64_t end = start;
            std::vector<EventIndex> events; // of an iteration, and of those that overlap with it or each other
            do {
                end = std::max(end, endOf(iterations[next->first]));
                events.insert(events.end(), next->second.begin(), next->second.end());
                ++next;
            } while (next != work.end() && iterations[next->first].start < end);
            time.total += static_cast<double>(end - start);
            for (const Gap &gap : gapsBetween(std::move(events), m_trace.events, start, end)) {
                time.idle += static_cast<double>(gap.end - gap.start);
                add(sums, gap);
            }
        }
        for (auto &[key, sum] : sums)
            time.waits.push_back(std::move(sum.wait));
        std::ranges::stable_sort(time.waits, std::greater(), &Wait::time);
        return time;
    }

private:
    using Key = std::pair<TextId, std::vector<ir::NodeId>>; ///< the name of the operator, and its nodes
    struct Sum {
        Wait wait;
        std::int64_t longest = -1;
    };

    void add(std::map<Key, Sum> &sums, const Gap &gap) const
    {
        const DeviceRow *const row = gap.endedBy ? m_rows.at(*gap.endedBy) : nullptr;
        const auto operation = row ? row->launchedBy : std::nullopt;
        const auto nodes = operation ? row->link.nodes : std::vector<ir::NodeId>();
        Sum &sum = sums[{operation ? m_trace.events[*operation].name : TextId::None, nodes}];
        const std::int64_t duration = gap.end - gap.start;
        sum.wait.nodes = nodes;
        sum.wait.time += static_cast<double>(duration);
        ++sum.wait.count;
        if (duration <= sum.longest)
            return;
        sum.longest = duration;
        sum.wait.operation = operation;
    }

    const Trace &m_trace;
    std::unordered_map<EventIndex, const DeviceRow *> m_rows; ///< by their event
};

/// The work on each device, and on each of its streams. It counts by its time, as not all work is known to be of an
/// iteration.
std::map<Place, Work> workByPlace(const Trace &trace, const Linked &linked)
{
    std::vector<std::int64_t> ends; // the last end of the iterations up to each: those that overlap end in any order
    for (const Iteration &iteration : linked.iterations)
        ends.push_back(std::max(ends.empty() ? endOf(iteration) : ends.back(), endOf(iteration)));
    std::map<Place, Work> places;
    for (const DeviceRow &row : linked.devices) {
        const Event &event = trace.events[row.event];
        const auto device = trace.detailsOf(event).device;
        const auto behind = std::ranges::lower_bound(linked.iterations, event.end(), {}, &Iteration::start);
        for (auto i = static_cast<std::size_t>(behind - linked.iterations.begin()); i-- > 0;) {
            if (ends[i] <= event.start)
                break;
            if (endOf(linked.iterations[i]) <= event.start)
                continue;
            places[{device, std::nullopt}][i].push_back(row.event);
            places[{device, event.lane}][i].push_back(row.event);
        }
    }
    return places;
}

} // namespace

std::vector<Gap> gapsBetween(std::vector<EventIndex> events, const std::vector<Event> &all, std::int64_t from,
                             std::int64_t to)
{
    std::ranges::stable_sort(events, {}, [&](EventIndex event) { return all[event].start; });
    std::vector<Gap> gaps;
    for (const EventIndex event : events) {
        if (all[event].start >= to)
            break;
        if (all[event].start > from)
            gaps.push_back({from, all[event].start, event});
        from = std::max(from, all[event].end());
    }
    if (from < to)
        gaps.push_back({from, to, {}});
    return gaps;
}

std::vector<IdleTime> idleTimes(const Trace &trace, const Linked &linked)
{
    const std::map<Place, Work> places = workByPlace(trace, linked);
    std::map<std::optional<std::int64_t>, std::size_t> streams; // by device
    for (const auto &[place, work] : places)
        streams[place.device] += place.stream.has_value();
    const Waits waits(trace, linked);
    std::vector<IdleTime> times;
    for (const auto &[place, work] : places)
        if (!place.stream || streams[place.device] > 1)
            times.push_back(waits.sumUp(place, work, linked.iterations));
    return times;
}

} // namespace cutaway::trace
