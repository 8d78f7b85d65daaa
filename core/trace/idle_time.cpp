// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/idle_time.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <unordered_map>

namespace cutaway::trace {

namespace {

/// A device, or one of its streams.
struct Place {
    std::optional<std::int64_t> device;
    std::optional<TextId> stream; ///< nothing for the entire device, which sorts before its streams
    auto operator<=>(const Place &) const = default;
};

std::int64_t endOf(const Iteration &iteration) { return iteration.start + iteration.duration; }

struct Span {
    std::int64_t start = 0, end = 0;
};

/// Returns the time spans of the iterations in which something runs; overlapping iterations are one span. An iteration
/// counts if there is work in its time, as it is not known of all work which iteration it belongs to.
std::vector<Span> spansOfWork(const std::vector<Iteration> &iterations, const std::vector<Gap> &gaps)
{
    std::vector<Span> spans;
    for (const Iteration &iteration : iterations) {
        const auto after = std::ranges::upper_bound(gaps, iteration.start, {}, &Gap::start);
        if (after != gaps.begin() && std::prev(after)->end >= endOf(iteration))
            continue; // the iteration lies in a gap
        if (!spans.empty() && iteration.start < spans.back().end)
            spans.back().end = std::max(spans.back().end, endOf(iteration));
        else
            spans.push_back({iteration.start, endOf(iteration)});
    }
    return spans;
}

/// Sums up gaps by the operator that ended them.
class Waits {
public:
    Waits(const Trace &trace, const Linked &linked) : m_trace(trace)
    {
        for (const DeviceRow &row : linked.devices)
            m_rows.emplace(row.event, &row);
    }

    /// Returns the idle time of a device or stream. `events`: its work. O(n log n) of work and iterations.
    IdleTime sumUp(const Place &place, std::vector<EventIndex> events, const Linked &linked) const
    {
        IdleTime time{.device = place.device, .stream = place.stream};
        std::map<Key, Sum> sums;
        const std::int64_t last = std::ranges::max(linked.iterations | std::views::transform(endOf));
        const auto gaps = gapsBetween(std::move(events), m_trace.events, linked.iterations.front().start, last);
        auto next = gaps.begin();
        for (const Span &span : spansOfWork(linked.iterations, gaps)) {
            time.total += static_cast<double>(span.end - span.start);
            while (next != gaps.end() && next->end <= span.start)
                ++next;
            for (auto gap = next; gap != gaps.end() && gap->start < span.end; ++gap) {
                const Gap within{std::max(gap->start, span.start), std::min(gap->end, span.end),
                                 gap->end < span.end ? gap->endedBy : std::nullopt};
                time.idle += static_cast<double>(within.end - within.start);
                add(sums, within);
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
    std::unordered_map<EventIndex, const DeviceRow *> m_rows; ///< by the event of the work
};

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
    if (linked.iterations.empty())
        return {};
    std::map<Place, std::vector<EventIndex>> places;
    for (const DeviceRow &row : linked.devices) {
        const Event &event = trace.events[row.event];
        const auto device = trace.detailsOf(event).device;
        places[{device, std::nullopt}].push_back(row.event);
        places[{device, event.lane}].push_back(row.event);
    }
    const Waits waits(trace, linked);
    std::vector<IdleTime> times;
    std::map<std::optional<std::int64_t>, std::size_t> streams; // by device
    for (auto &[place, events] : places) {
        IdleTime time = waits.sumUp(place, std::move(events), linked);
        if (time.total == 0)
            continue; // the stream has no work in the iterations
        streams[place.device] += place.stream.has_value();
        times.push_back(std::move(time));
    }
    std::erase_if(times, [&](const IdleTime &time) { return time.stream && streams[time.device] < 2; });
    return times;
}

} // namespace cutaway::trace
