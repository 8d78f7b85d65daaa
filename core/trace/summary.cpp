// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/summary.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <utility>

namespace cutaway::trace {

namespace {

void add(LaneTime &time, const Link &link, std::int64_t duration)
{
    (link.nodes.empty() ? time.unlinked : time.linked) += static_cast<double>(duration);
}

void sumLanes(const Trace &trace, const Linked &linked, Summary &summary)
{
    std::map<TextId, std::uint32_t> last; // by lane: the iteration of its last row, since rows are sorted by iteration
    for (const Row &row : linked.rows) {
        const TextId lane = trace.events[row.event].lane;
        add(summary.lanes[lane], row.link, row.duration);
        const auto [counted, isFirst] = last.emplace(lane, row.iteration);
        if (isFirst || std::exchange(counted->second, row.iteration) != row.iteration)
            summary.lanes[lane].total += static_cast<double>(linked.iterations[row.iteration].duration);
    }
    for (const auto &[lane, time] : summary.lanes) {
        summary.all.total += time.total;
        summary.all.linked += time.linked;
        summary.all.unlinked += time.unlinked;
    }
}

void sumNodes(const Trace &trace, const Linked &linked, Summary &summary)
{
    for (const Row &row : linked.rows) // the rows are sorted by iteration
        for (const ir::NodeId node : row.link.nodes) {
            NodeTime &sum = summary.nodes[node];
            if (sum.runs.empty() || sum.runs.back().iteration != row.iteration)
                sum.runs.push_back({.iteration = row.iteration, .isWarmUp = linked.iterations[row.iteration].isWarmUp});
            sum.runs.back().time += static_cast<double>(row.duration) / static_cast<double>(row.link.nodes.size());
            ++sum.calls;
        }
    for (auto &[node, sum] : summary.nodes) {
        std::vector<double> sorted;
        for (const NodeRun &run : sum.runs) {
            sum.time += run.time;
            sorted.push_back(run.time);
        }
        std::ranges::sort(sorted);
        sum.min = sorted.front();
        sum.median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    }
    for (const DeviceRow &row : linked.devices) {
        const std::int64_t duration = trace.events[row.event].duration;
        add(summary.device, row.link, duration);
        summary.device.total += static_cast<double>(duration);
        for (const ir::NodeId node : row.link.nodes) {
            const auto found = summary.nodes.find(node);
            if (found == summary.nodes.end())
                continue;
            const double part = static_cast<double>(duration) / static_cast<double>(row.link.nodes.size());
            ++found->second.launches;
            found->second.device = found->second.device.value_or(0) + part;
            const auto run = row.iteration
                ? std::ranges::lower_bound(found->second.runs, *row.iteration, {}, &NodeRun::iteration)
                : found->second.runs.end();
            if (run != found->second.runs.end() && run->iteration == row.iteration)
                run->device += part;
        }
    }
}

void sumModules(const ir::Graph &graph, Summary &summary)
{
    for (const auto &[node, time] : summary.nodes)
        for (const std::string &module :
             modulesAround(graph.context().text(graph.context().at(graph.at(node).scope).path)))
            summary.modules[module] += time.time;
}

} // namespace

std::vector<std::string> modulesAround(std::string_view path)
{
    std::vector<std::string> modules{""};
    for (std::size_t end = path.find('.'); !path.empty(); end = path.find('.', end + 1)) {
        modules.emplace_back(path.substr(0, end));
        if (end == std::string_view::npos)
            break;
    }
    return modules;
}

Summary summaryOf(const Trace &trace, const Linked &linked, const ir::Graph &graph)
{
    Summary summary;
    sumLanes(trace, linked, summary);
    sumNodes(trace, linked, summary);
    sumModules(graph, summary);
    summary.idle = idleTimes(trace, linked);
    return summary;
}

} // namespace cutaway::trace
