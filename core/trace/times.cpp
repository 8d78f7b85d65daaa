// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/times.h"

#include "core/ir/node_ref.h"
#include "core/trace/comparison.h"
#include "core/trace/idle_time.h"
#include "core/trace/links/operator_links.h"

#include <algorithm>
#include <set>

namespace cutaway::trace {

namespace {

constexpr double nanosecond = 1e-9;

/// The events with the same nodes, name and lane in all iterations.
struct Part {
    struct InIteration {
        double start = 0, time = 0; ///< in nanoseconds; the start is that of the first event, counted from the start of
                                    ///< the iteration
    };
    EventIndex event = 0; ///< the first event
    std::map<std::size_t, InIteration> iterations = {};
};

class TimesByPart {
public:
    TimesByPart(const Trace &trace, const Linked &linked) : m_trace(trace), m_linked(linked) { }

    run::Timing measure()
    {
        for (const DeviceRow &row : m_linked.devices)
            if (row.iteration) {
                m_onDevices.insert(row.link.nodes.begin(), row.link.nodes.end());
                add(row.event, *row.iteration, row.link, m_trace.events[row.event].duration);
                m_events[*row.iteration].push_back(row.event);
            }
        for (const Row &row : m_linked.rows)
            if (!isLaunchOnly(row.link)) {
                add(row.event, row.iteration, row.link, row.duration);
                m_events[row.iteration].push_back(row.event);
            }
        run::Timing timing;
        timing.whole = timing.instrumented = durationsOf(m_linked);
        for (const auto &[key, part] : m_parts)
            timing.nodes.push_back({key.nodes, measured(part)});
        std::ranges::stable_sort(timing.nodes, {}, [](const run::TimedNodes &each) { return each.measured.start; });
        sumUp(timing);
        return timing;
    }

private:
    struct Key {
        std::vector<ir::NodeId> nodes;
        TextId name, lane;
        auto operator<=>(const Key &) const = default;
    };

    bool counts(std::size_t iteration) const { return !m_linked.iterations[iteration].isWarmUp; }

    bool isLaunchOnly(const Link &link) const
    {
        return !link.nodes.empty()
            && std::ranges::all_of(link.nodes, [this](ir::NodeId node) { return m_onDevices.contains(node); });
    }

    void add(EventIndex event, std::size_t iteration, const Link &link, std::int64_t duration)
    {
        if (link.sharing != Sharing::Ambiguous)
            return add(event, iteration, link.nodes, static_cast<double>(duration));
        for (const ir::NodeId node : link.nodes)
            add(event, iteration, std::vector{node},
                static_cast<double>(duration) / static_cast<double>(link.nodes.size()));
    }

    void add(EventIndex index, std::size_t iteration, const std::vector<ir::NodeId> &nodes, double duration)
    {
        const Event &event = m_trace.events[index];
        Part &part = m_parts.try_emplace({nodes, event.name, event.lane}, Part{index}).first->second;
        const auto start = static_cast<double>(event.start - m_linked.iterations[iteration].start);
        auto &sum = part.iterations.try_emplace(iteration, Part::InIteration{start}).first->second;
        sum.start = std::min(sum.start, start);
        sum.time += duration;
    }

    /// Returns the times of a part. A part that ran only in the warm-up has its time there.
    protocol::Profile::NodeTime measured(const Part &part) const
    {
        std::vector<double> starts, times;
        const bool isOfWarmUp =
            std::ranges::none_of(part.iterations, [&](const auto &each) { return counts(each.first); });
        for (const auto &[iteration, sum] : part.iterations)
            if (isOfWarmUp || counts(iteration)) {
                starts.push_back(std::max(sum.start, 0.0));
                times.push_back(sum.time);
            }
        const Event &event = m_trace.events[part.event];
        const Details &details = m_trace.detailsOf(event);
        protocol::Profile::NodeTime time;
        time.name = m_trace.nameOf(event);
        time.op = details.opName == TextId::None ? time.name : std::string(m_trace.texts.at(details.opName));
        time.provider =
            (event.category == Category::Device ? "device " : "thread ") + std::string(m_trace.texts.at(event.lane));
        time.start = spreadInSeconds(std::move(starts)).median;
        time.time = spreadInSeconds(std::move(times));
        return time;
    }

    /// Sums up the times in nodes and between them; the second is not the duration less the first, since devices and
    /// host may work at the same time.
    void sumUp(run::Timing &timing) const
    {
        std::map<std::size_t, double> sums;
        for (const auto &[key, part] : m_parts)
            for (const auto &[iteration, sum] : part.iterations)
                if (counts(iteration))
                    sums[iteration] += sum.time;
        std::vector<double> in, between;
        for (const auto &[iteration, sum] : sums) {
            in.push_back(sum);
            between.push_back(timeBetween(iteration));
        }
        timing.inNodes = spreadInSeconds(std::move(in));
        timing.between = spreadInSeconds(std::move(between));
    }

    double timeBetween(std::size_t iteration) const
    {
        const Iteration &whole = m_linked.iterations[iteration];
        double time = 0;
        for (const Gap &gap :
             gapsBetween(m_events.at(iteration), m_trace.events, whole.start, whole.start + whole.duration))
            time += static_cast<double>(gap.end - gap.start);
        return time;
    }

    const Trace &m_trace;
    const Linked &m_linked;
    std::set<ir::NodeId> m_onDevices; ///< nodes with kernels
    std::map<Key, Part> m_parts;
    std::map<std::size_t, std::vector<EventIndex>> m_events; ///< the events that count, by iteration
};

/// Returns, for each node, the seconds for which devices waited until it launched their next work.
std::vector<node_data::Cell> waitsByNode(const Summary &summary, const ir::Graph &graph)
{
    std::map<ir::NodeId, double> sums;
    for (const IdleTime &idle : summary.idle)
        if (!idle.stream)
            for (const Wait &wait : idle.waits)
                for (const ir::NodeId node : wait.nodes)
                    sums[node] += wait.time / static_cast<double>(wait.nodes.size()) * nanosecond;
    std::vector<node_data::Cell> cells(graph.nodeCount());
    for (const auto &[node, time] : sums)
        cells[node.index] = time;
    return cells;
}

/// Returns the calls as an iteration of a trace, one after the other in one lane. Nodes are found by the order of calls
/// alone and not by their times, so each call lasts a nanosecond.
Trace traceOf(const std::vector<run::TimedNodes *> &calls)
{
    Trace trace;
    trace.kind = Kind::Kineto;
    const TextId lane = trace.texts.add("calls");
    for (const run::TimedNodes *call : calls) {
        Event event;
        event.start = static_cast<std::int64_t>(trace.events.size());
        event.duration = 1;
        event.position = static_cast<std::uint32_t>(trace.events.size());
        event.name = trace.texts.add(call->measured.op);
        event.lane = lane;
        event.details = static_cast<std::uint32_t>(trace.details.size());
        trace.events.push_back(event);
        Details details;
        details.dims = trace.texts.add(*call->measured.dims);
        trace.details.push_back(details);
    }
    return trace;
}

} // namespace

run::Timing timesOf(const Trace &trace, const Linked &linked, std::span<const MemoryUse> memory)
{
    run::Timing timing = TimesByPart(trace, linked).measure();
    if (memory.empty())
        return timing;
    const MemoryUse &use = *std::ranges::max_element(memory, {}, &MemoryUse::peakBytes);
    timing.peakActivation = static_cast<std::uint64_t>(use.peakBytes());
    for (run::TimedNodes &part : timing.nodes)
        for (const ir::NodeId node : part.nodes)
            if (const auto found = use.byNode.find(node); found != use.byNode.end())
                part.measured.memory = std::max(part.measured.memory, static_cast<std::uint64_t>(found->second));
    return timing;
}

std::vector<node_data::Column> columnsOf(const Summary &summary, const ir::Graph &graph)
{
    const std::vector<node_data::Cell> none(graph.nodeCount());
    using node_data::Unit;
    node_data::Column calls{"trace.calls", none}, spread{"trace.spread", none, Unit::Seconds},
        host{"trace.host", none, Unit::Seconds}, device{"trace.device", none, Unit::Seconds},
        launches{"trace.launches", none}, waited{"trace.waited", waitsByNode(summary, graph), Unit::Seconds};
    for (const auto &[node, time] : summary.nodes) {
        calls.cells[node.index] = static_cast<double>(time.calls);
        host.cells[node.index] = time.time * nanosecond;
        const protocol::Spread times = spreadOfRuns(time);
        spread.cells[node.index] = times.p95 - times.p5;
        if (!time.device)
            continue;
        device.cells[node.index] = *time.device * nanosecond;
        launches.cells[node.index] = static_cast<double>(time.launches);
    }
    return summary.device.total > 0 ? std::vector{calls, spread, host, device, launches, waited}
                                    : std::vector{calls, spread};
}

std::vector<node_data::Column> columnsOf(const Comparison &comparison, const ir::Graph &graph)
{
    const std::vector<node_data::Cell> none(graph.nodeCount());
    using node_data::Unit;
    node_data::Column change{"trace.change", none, Unit::Seconds}, second{"trace.second", none, Unit::Seconds},
        verdict{"trace.verdict", none};
    for (const NodeChange &each : comparison.nodes) {
        change.cells[each.node.index] = each.time.difference();
        if (each.time.after)
            second.cells[each.node.index] = each.time.after->median;
        verdict.cells[each.node.index] = verdictText(each);
    }
    return {std::move(change), std::move(second), std::move(verdict)};
}

void linkCalls(run::Timing &timing, const ir::Model &model, const analysis::Analysis &analysis)
{
    std::vector<run::TimedNodes *> calls;
    for (run::TimedNodes &timed : timing.nodes)
        if (timed.measured.dims)
            calls.push_back(&timed);
    if (calls.empty())
        return;
    const Trace trace = traceOf(calls);
    const Nesting nesting(trace);
    Linked linked;
    linked.iterations.push_back({.name = {}, .duration = trace.events.back().end(), .events = {}});
    for (EventIndex event = 0; event < calls.size(); ++event)
        linked.iterations.front().events.push_back(event);
    linkOperators(trace, nesting, model.at(analysis.function).graph, unitsOf(model, analysis), nullptr, {}, linked);
    for (Row &row : linked.rows)
        if (row.link.sharing != Sharing::Ambiguous)
            calls[row.event]->nodes = std::move(row.link.nodes);
}

} // namespace cutaway::trace
