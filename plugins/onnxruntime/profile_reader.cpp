// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace cutaway::plugins {

namespace {

using protocol::Json;
using protocol::Profile;

constexpr double microsecond = 1e-6;

struct Interval {
    std::int64_t begin = 0, end = 0; ///< microseconds
};

/// One node as the profiler tells it apart: those of subgraphs have numbers of their own.
using Key = std::tuple<std::string, std::string, std::uint64_t>;

struct Times {
    std::string provider;
    std::map<std::size_t, double> starts, sums; ///< by run, seconds
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

/// The runs in their order.
std::vector<Interval> runsOf(const Json &events)
{
    std::vector<Interval> runs;
    for (const Json &event : events)
        if (const auto interval = intervalOf(event); interval && text(event, "name") == "model_run")
            runs.push_back(*interval);
    std::ranges::sort(runs, {}, &Interval::begin);
    return runs;
}

/// The run in which something started.
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

std::map<Key, Times> timesOf(const Json &events, const std::vector<Interval> &runs, std::uint64_t runsLeftOut)
{
    std::map<Key, Times> nodes;
    for (const Json &event : events) {
        const auto arguments = event.find("args");
        const auto interval = intervalOf(event);
        if (arguments == event.end() || !interval || !text(event, "name").ends_with("_kernel_time"))
            continue;
        const auto run = runAt(runs, interval->begin);
        if (!run || *run < runsLeftOut)
            continue;
        Times &times = nodes[keyOf(event, *arguments)];
        times.provider = text(*arguments, "provider");
        times.sums[*run] += static_cast<double>(interval->end - interval->begin) * microsecond;
        times.starts.try_emplace(*run, static_cast<double>(interval->begin - runs[*run].begin) * microsecond);
    }
    return nodes;
}

std::vector<double> valuesOf(const std::map<std::size_t, double> &byRun)
{
    std::vector<double> values;
    for (const auto &[run, value] : byRun)
        values.push_back(value);
    return values;
}

} // namespace

Result<Profile::Result> readProfile(std::string_view json, std::uint64_t runsLeftOut)
{
    const Json events = Json::parse(json, nullptr, false);
    if (!events.is_array())
        return std::unexpected(Error{ErrorKind::Backend, "ONNX Runtime's profile is no JSON array", {}});
    const std::vector<Interval> runs = runsOf(events);
    Profile::Result result;
    for (const auto &[key, times] : timesOf(events, runs, runsLeftOut))
        result.nodes.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), times.provider,
                                spreadOf(valuesOf(times.starts)).median, spreadOf(valuesOf(times.sums))});
    std::ranges::stable_sort(result.nodes, {}, &Profile::NodeTime::start);
    return result;
}

} // namespace cutaway::plugins
