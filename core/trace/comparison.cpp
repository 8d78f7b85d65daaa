// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/comparison.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <set>

namespace cutaway::trace {

namespace {

/// Times by iteration; some iterations may have none.
using Times = std::map<std::uint32_t, double>;

/// Returns the spread of the times without warm-up iterations; of all iterations if there are no others.
std::optional<protocol::Spread> spreadOf(const Times &times, const Linked &linked)
{
    std::vector<double> warm, all;
    for (const auto &[iteration, time] : times) {
        all.push_back(time);
        if (!linked.iterations[iteration].isWarmUp)
            warm.push_back(time);
    }
    if (all.empty())
        return std::nullopt;
    return spreadInSeconds(warm.empty() ? std::move(all) : std::move(warm));
}

/// The parts of a trace that are compared, each with its times.
struct Parts {
    std::map<ir::NodeId, Times> nodes;
    std::map<std::string, Times> modules;
    std::map<std::string_view, Times> others;
};

Parts partsOf(const Measured &measured, const ir::Graph &graph, bool isOnDevices)
{
    Parts parts;
    for (const auto &[node, time] : measured.summary.nodes) {
        const std::string_view path = graph.context().text(graph.context().at(graph.at(node).scope).path);
        if (isOnDevices && !time.device)
            continue; // the node has no time on devices in this trace, which is not a time of 0
        for (const NodeRun &run : time.runs) {
            const double part = isOnDevices ? run.device : run.time;
            parts.nodes[node][run.iteration] += part;
            for (const std::string &module : modulesAround(path))
                parts.modules[module][run.iteration] += part;
        }
    }
    for (const Row &row : measured.linked.rows)
        if (row.link.nodes.empty())
            parts.others[measured.trace.nameOf(measured.trace.events[row.event])][row.iteration] +=
                static_cast<double>(row.duration);
    return parts;
}

/// Joins two maps by their keys: calls `add` with each key and its change.
template <class Key, class Add>
void forEachChange(const std::map<Key, Times> &a, const std::map<Key, Times> &b, const Linked &before,
                   const Linked &after, const Add &add)
{
    std::set<Key> keys;
    for (const auto *side : {&a, &b})
        for (const auto &[key, times] : *side)
            keys.insert(key);
    const auto in = [](const std::map<Key, Times> &side, const Key &key, const Linked &linked) {
        const auto found = side.find(key);
        return found == side.end() ? std::nullopt : spreadOf(found->second, linked);
    };
    for (const Key &key : keys)
        add(key, run::TimeChange{in(a, key, before), in(b, key, after)});
}

/// Returns the nodes of a trace in the order in which they run first.
std::vector<ir::NodeId> orderOf(const Linked &linked)
{
    std::vector<ir::NodeId> order;
    std::set<ir::NodeId> seen;
    for (const Row &row : linked.rows)
        for (const ir::NodeId node : row.link.nodes)
            if (row.phase != Phase::Backward && seen.insert(node).second)
                order.push_back(node);
    return order;
}

/// Returns the nodes that are in both traces, but not in a longest common subsequence of both orders.
std::set<ir::NodeId> movedNodes(const Linked &before, const Linked &after)
{
    std::map<ir::NodeId, std::size_t> places;
    for (const ir::NodeId node : orderOf(before))
        places.emplace(node, places.size());
    std::vector<ir::NodeId> common;
    for (const ir::NodeId node : orderOf(after))
        if (places.contains(node))
            common.push_back(node);
    // The longest increasing subsequence of positions is found by patience sorting: `ends` has the last node of the
    // best sequence of each length.
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> ends, previous(common.size(), none);
    for (std::size_t i = 0; i < common.size(); ++i) {
        const auto at =
            std::ranges::lower_bound(ends, places[common[i]], {}, [&](std::size_t end) { return places[common[end]]; });
        if (at != ends.begin())
            previous[i] = *std::prev(at);
        if (at == ends.end())
            ends.push_back(i);
        else
            *at = i;
    }
    std::set<ir::NodeId> moved(common.begin(), common.end());
    for (std::size_t i = ends.empty() ? none : ends.back(); i != none; i = previous[i])
        moved.erase(common[i]);
    return moved;
}

} // namespace

std::string verdictText(const NodeChange &change)
{
    return std::string(run::name(change.time.verdict())) + (change.isMoved ? ", moved" : "");
}

protocol::Spread spreadInSeconds(std::vector<double> nanoseconds)
{
    for (double &time : nanoseconds)
        time *= 1e-9;
    return protocol::spreadOf(std::move(nanoseconds));
}

protocol::Spread spreadOfRuns(const NodeTime &node)
{
    std::vector<double> warm, all;
    for (const NodeRun &run : node.runs) {
        all.push_back(node.device ? run.device : run.time);
        if (!run.isWarmUp)
            warm.push_back(all.back());
    }
    return spreadInSeconds(warm.empty() ? std::move(all) : std::move(warm));
}

protocol::Spread durationsOf(const Linked &linked)
{
    Times durations;
    for (std::uint32_t i = 0; i < linked.iterations.size(); ++i)
        durations[i] = static_cast<double>(linked.iterations[i].duration);
    return spreadOf(durations, linked).value_or(protocol::Spread());
}

std::optional<protocol::Spread> deviceTimesOf(const Trace &trace, const Linked &linked)
{
    Times times;
    for (const DeviceRow &row : linked.devices)
        if (row.iteration)
            times[*row.iteration] += static_cast<double>(trace.events[row.event].duration);
    return spreadOf(times, linked);
}

Comparison compare(const Measured &before, const Measured &after, const ir::Graph &graph)
{
    Comparison comparison;
    comparison.whole = {durationsOf(before.linked), durationsOf(after.linked)};
    comparison.isOnDevices = before.summary.device.linked > 0 && after.summary.device.linked > 0;
    const Parts a = partsOf(before, graph, comparison.isOnDevices), b = partsOf(after, graph, comparison.isOnDevices);
    const auto moved = movedNodes(before.linked, after.linked);
    forEachChange(a.nodes, b.nodes, before.linked, after.linked, [&](ir::NodeId node, run::TimeChange change) {
        comparison.nodes.push_back({node, change, moved.contains(node)});
    });
    forEachChange(a.modules, b.modules, before.linked, after.linked,
                  [&](const std::string &path, run::TimeChange change) { comparison.modules.emplace(path, change); });
    forEachChange(a.others, b.others, before.linked, after.linked, [&](std::string_view other, run::TimeChange change) {
        comparison.others.push_back({std::string(other), change});
    });
    return comparison;
}

} // namespace cutaway::trace
