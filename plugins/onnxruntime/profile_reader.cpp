// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include "plugins/server/alternating_runs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace cutaway::plugins {

namespace {

using protocol::Json;
using protocol::Profile;
using protocol::spreadOf;

constexpr double microsecond = 1e-6;

struct Interval {
    std::int64_t begin = 0, end = 0; ///< in microseconds
};

/// The key of a node in the profile; nodes of subgraphs have numbers of their own.
using Key = std::tuple<std::string, std::string, std::uint64_t>;

struct Times {
    std::string provider;
    std::map<std::size_t, double> starts, sums; ///< by run: the start of the node and the sum of its times, in seconds
};

std::string text(const Json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<Interval> intervalOf(const Json &event)
{
    const auto start = event.find("ts"), length = event.find("dur");
    if (start == event.end() || length == event.end() || !start->is_number_integer() || !length->is_number_integer())
        return std::nullopt;
    return Interval{start->get<std::int64_t>(), start->get<std::int64_t>() + length->get<std::int64_t>()};
}

/// Returns the intervals of the runs, in order.
std::vector<Interval> runsOf(const Json &events)
{
    std::vector<Interval> runs;
    for (const Json &event : events)
        if (const auto interval = intervalOf(event); interval && text(event, "name") == "model_run")
            runs.push_back(*interval);
    std::ranges::sort(runs, {}, &Interval::begin);
    return runs;
}

/// Returns the index of the run in which an event started; nothing if it started in none.
std::optional<std::size_t> runAt(const std::vector<Interval> &runs, std::int64_t time)
{
    const auto after = std::ranges::upper_bound(runs, time, {}, &Interval::begin);
    if (after == runs.begin() || time > std::prev(after)->end)
        return std::nullopt;
    return static_cast<std::size_t>(after - runs.begin()) - 1;
}

Key keyOf(const Json &event, const Json &arguments)
{
    constexpr std::string_view suffix = "_kernel_time";
    std::string name = text(event, "name");
    name.resize(name.size() - suffix.size());
    const std::string index = text(arguments, "node_index");
    std::uint64_t number = 0;
    std::from_chars(index.data(), index.data() + index.size(), number);
    return {std::move(name), text(arguments, "op_name"), number};
}

/// An execution of a node in a run.
struct Event {
    const Json *json;
    Interval interval;
    std::size_t run;
    double inside = 0; ///< the seconds in nested nodes
    double seconds() const { return static_cast<double>(interval.end - interval.begin) * microsecond; }
};

std::vector<Event> nodeEvents(const Json &events, const std::vector<Interval> &runs,
                              const std::set<std::size_t> &counted)
{
    std::vector<Event> nodes;
    for (const Json &event : events) {
        const auto interval = intervalOf(event);
        if (!interval || !event.contains("args") || !text(event, "name").ends_with("_kernel_time"))
            continue;
        if (const auto run = runAt(runs, interval->begin); run && counted.contains(*run))
            nodes.push_back({&event, *interval, *run});
    }
    // If two events begin in the same microsecond, the longer one contains the other.
    std::ranges::sort(nodes, [](const Event &a, const Event &b) {
        return std::pair(a.interval.begin, -a.interval.end) < std::pair(b.interval.begin, -b.interval.end);
    });
    return nodes;
}

/// Subtracts the times of nested nodes (in branches and loop bodies) from that of the node around them. Returns, by
/// run, the seconds spent in nodes.
std::map<std::size_t, double> nest(std::vector<Event> &nodes)
{
    std::map<std::size_t, double> inNodes;
    std::vector<Event *> open;
    for (Event &event : nodes) {
        while (!open.empty() && open.back()->interval.end <= event.interval.begin)
            open.pop_back();
        if (open.empty())
            inNodes[event.run] += event.seconds();
        else
            open.back()->inside += event.seconds();
        open.push_back(&event);
    }
    return inNodes;
}

std::map<Key, Times> timesOf(const std::vector<Event> &nodes, const std::vector<Interval> &runs)
{
    std::map<Key, Times> all;
    for (const Event &event : nodes) {
        const Json &arguments = event.json->at("args");
        Times &times = all[keyOf(*event.json, arguments)];
        times.provider = text(arguments, "provider");
        times.sums[event.run] += std::max(event.seconds() - event.inside, 0.0);
        times.starts.try_emplace(event.run,
                                 static_cast<double>(event.interval.begin - runs[event.run].begin) * microsecond);
    }
    return all;
}

std::vector<double> valuesOf(const std::map<std::size_t, double> &byRun)
{
    std::vector<double> values;
    for (const auto &[run, value] : byRun)
        values.push_back(value);
    return values;
}

/// Returns the time of each run outside of nodes.
std::vector<double> remainders(const std::vector<Interval> &runs, const std::map<std::size_t, double> &inNodes)
{
    std::vector<double> between;
    for (const auto &[run, seconds] : inNodes)
        between.push_back(static_cast<double>(runs[run].end - runs[run].begin) * microsecond - seconds);
    return between;
}

std::unexpected<Error> noArray()
{
    return std::unexpected(Error{ErrorKind::Backend, "ONNX Runtime's profile is not a JSON array", {}});
}

} // namespace

Result<std::vector<NodeInterval>> readIntervals(std::string_view json)
{
    const Json events = Json::parse(json, nullptr, false);
    if (!events.is_array())
        return noArray();
    const std::vector<Interval> runs = runsOf(events);
    std::vector<NodeInterval> intervals;
    for (const Event &event : nodeEvents(events, runs, {runs.size() - 1})) {
        auto [name, op, index] = keyOf(*event.json, event.json->at("args"));
        intervals.push_back({std::move(name), std::move(op), index, event.interval.begin, event.interval.end});
    }
    return intervals;
}

Result<Profile::Result> readProfile(std::string_view json, const std::set<std::size_t> &counted)
{
    const Json events = Json::parse(json, nullptr, false);
    if (!events.is_array())
        return noArray();
    const std::vector<Interval> runs = runsOf(events);
    std::vector<Event> nodes = nodeEvents(events, runs, counted);
    const auto inNodes = nest(nodes);
    Profile::Result result{.inNodes = spreadOf(valuesOf(inNodes)), .between = spreadOf(remainders(runs, inNodes))};
    for (const auto &[key, times] : timesOf(nodes, runs))
        result.nodes.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), times.provider,
                                spreadOf(valuesOf(times.starts)).median, spreadOf(valuesOf(times.sums))});
    std::ranges::stable_sort(result.nodes, {}, &Profile::NodeTime::start);
    return result;
}

} // namespace cutaway::plugins
