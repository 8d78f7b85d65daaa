// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/profile.h"

#include "core/base/result.h"
#include "core/ir/node_ref.h"
#include "plugins/server/alternating_runs.h"
#include "plugins/server/machine.h"

#include <algorithm>
#include <c10/core/Allocator.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <chrono>
#include <utility>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;
using protocol::Profile;
using protocol::spreadOf;

/// A node's times in each run; in a loop, all iterations together.
struct Samples {
    struct OfRun {
        double seconds = 0, start = -1; ///< the start is negative if the node did not run
    };
    std::vector<OfRun> runs;
    std::uint64_t memory = 0;
    bool isSeen = false;
};

/// The nodes that have run, with their times.
class NodeSamples {
public:
    explicit NodeSamples(std::uint32_t nodeCount) : m_samples(nodeCount) { }

    void beginRun() { ++m_runCount; }
    Samples &of(ir::NodeId node)
    {
        Samples &samples = m_samples[node.index];
        if (!std::exchange(samples.isSeen, true))
            m_order.push_back(node);
        return samples;
    }
    void add(ir::NodeId node, double start, double seconds)
    {
        auto &runs = of(node).runs;
        runs.resize(m_runCount);
        if (runs.back().start < 0)
            runs.back().start = start;
        runs.back().seconds += seconds;
    }
    /// Returns the nodes in the order of their first run.
    const std::vector<ir::NodeId> &order() const { return m_order; }

private:
    std::vector<Samples> m_samples; ///< by node: its times
    std::vector<ir::NodeId> m_order;
    std::size_t m_runCount = 0;
};

/// Reads the clock before and after each node.
class HostClock : public Observer {
public:
    explicit HostClock(NodeSamples &samples) : m_samples(samples) { }

    void beginRun()
    {
        m_samples.beginRun();
        m_begin = Clock::now();
    }
    void endRun() { }
    void before(ir::NodeId) override { m_start = Clock::now(); }
    void after(ir::NodeId node) override
    {
        const auto end = Clock::now();
        const auto seconds = [](Clock::duration span) { return std::chrono::duration<double>(span).count(); };
        m_samples.add(node, seconds(m_start - m_begin), seconds(end - m_start));
    }

private:
    NodeSamples &m_samples;
    Clock::time_point m_begin, m_start;
};

/// Records a device event before and after each node; the events are read at the end of a run.
class DeviceClock : public Observer {
public:
    DeviceClock(NodeSamples &samples, c10::Device device) : m_samples(samples), m_device(device) { }

    void beginRun()
    {
        m_samples.beginRun();
        m_events.clear();
        m_begin.emplace(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
        m_begin->record(stream());
    }
    void before(ir::NodeId node) override
    {
        m_events.push_back({node, c10::Event(m_device.type(), c10::EventFlag::BACKEND_DEFAULT),
                            c10::Event(m_device.type(), c10::EventFlag::BACKEND_DEFAULT)});
        m_events.back().start.record(stream());
    }
    void after(ir::NodeId) override { m_events.back().end.record(stream()); }
    void endRun()
    {
        constexpr double milli = 1e-3;
        for (const Pair &pair : m_events)
            m_samples.add(pair.node, milli * m_begin->elapsedTime(pair.start),
                          milli * pair.start.elapsedTime(pair.end));
    }

private:
    struct Pair {
        ir::NodeId node;
        c10::Event start, end;
    };
    c10::Stream stream() const { return c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device); }

    NodeSamples &m_samples;
    c10::Device m_device;
    std::optional<c10::Event> m_begin;
    std::vector<Pair> m_events;
};

/// Counts the bytes that torch's allocators have allocated.
class Memory : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void *, std::int64_t bytes, std::size_t, std::size_t, c10::Device) override
    {
        m_live += bytes;
        m_peak = std::max(m_peak, m_live);
    }
    bool memoryProfilingEnabled() const override { return true; }

    void beginNode() { m_peak = m_live; }
    std::uint64_t peak() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(m_peak, 0)); }

private:
    std::int64_t m_live = 0, m_peak = 0;
};

class MemoryObserver : public Observer {
public:
    MemoryObserver(NodeSamples &samples, Memory &memory) : m_samples(samples), m_memory(memory) { }
    void before(ir::NodeId) override { m_memory.beginNode(); }
    void after(ir::NodeId node) override
    {
        Samples &samples = m_samples.of(node);
        samples.memory = std::max(samples.memory, m_memory.peak());
    }

private:
    NodeSamples &m_samples;
    Memory &m_memory;
};

Result<void> measureMemory(LoadedModel &model, const Values &inputs, const std::stop_token &stop, NodeSamples &samples)
{
    const auto memory = std::make_shared<Memory>();
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, memory);
    MemoryObserver observer(samples, *memory);
    CUTAWAY_RETURN_IF_ERROR(model.run(inputs, stop, &observer));
    return {};
}

Result<double> timed(LoadedModel &model, const Values &inputs, const std::stop_token &stop, Observer *observer)
{
    const auto start = Clock::now();
    CUTAWAY_RETURN_IF_ERROR(model.run(inputs, stop, observer));
    synchronize(model.device());
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs the model with a clock at each node, and returns the seconds of the run.
template <class NodeClock>
Result<double> timedWith(NodeClock &clock, LoadedModel &model, const Values &inputs, const std::stop_token &stop)
{
    clock.beginRun();
    const auto seconds = timed(model, inputs, stop, &clock);
    if (seconds)
        clock.endRun();
    return seconds;
}

template <class NodeClock>
Result<AlternatingRuns> alternatingRuns(NodeClock clock, LoadedModel &model, const Values &inputs,
                                        const Profile &request, const std::stop_token &stop)
{
    for (std::uint64_t i = 0; i < request.warmUp; ++i)
        CUTAWAY_RETURN_IF_ERROR(timed(model, inputs, stop, nullptr));
    return timeAlternately([&] { return timed(model, inputs, stop, nullptr); },
                           [&] { return timedWith(clock, model, inputs, stop); }, request.seconds);
}

Profile::NodeTime timeOf(const Program &program, ir::NodeId id, const Samples &samples, const RunTimes &times)
{
    std::vector<double> seconds, starts;
    for (const std::size_t run : times.counted)
        if (run < samples.runs.size() && samples.runs[run].start >= 0) {
            seconds.push_back(samples.runs[run].seconds);
            starts.push_back(samples.runs[run].start);
        }
    const ir::NodeRef node(program.main().graph, id);
    return {.name = std::string(node.name()),
            .op = node.fullName(),
            .index = id.index,
            .provider = program.device().str(),
            .start = spreadOf(std::move(starts)).median,
            .time = spreadOf(std::move(seconds)),
            .memory = samples.memory,
            .node = id.index};
}

/// Sets the times that the counted runs spent in nodes and between nodes.
void setSums(Profile::Result &result, NodeSamples &samples, const RunTimes &times)
{
    std::vector<double> inNodes, between;
    for (const std::size_t run : times.counted) {
        double sum = 0;
        for (const ir::NodeId node : samples.order())
            sum += run < samples.of(node).runs.size() ? samples.of(node).runs[run].seconds : 0;
        inNodes.push_back(sum);
        between.push_back(times.all[run] - sum);
    }
    result.inNodes = spreadOf(std::move(inNodes));
    result.between = spreadOf(std::move(between));
}

void setNodes(Profile::Result &result, const Program &program, NodeSamples &samples, const RunTimes &times)
{
    for (const ir::NodeId id : samples.order()) {
        result.peakActivation = std::max(result.peakActivation, samples.of(id).memory);
        if (auto time = timeOf(program, id, samples.of(id), times); time.time.count > 0)
            result.nodes.push_back(std::move(time));
    }
    std::ranges::stable_sort(result.nodes, {}, &Profile::NodeTime::start);
    setSums(result, samples, times);
}

} // namespace

void synchronize(c10::Device device)
{
    if (!device.is_cpu() && !device.is_meta())
        c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index() < 0 ? 0 : device.index());
}

Result<Profile::Result> profile(LoadedModel &model, const Values &inputs, const Profile &request,
                                const std::stop_token &stop)
{
    const Program *program = model.program();
    NodeSamples samples(program ? program->main().graph.nodeCount() : 0);
    if (program)
        CUTAWAY_RETURN_IF_ERROR(measureMemory(model, inputs, stop, samples));
    const std::uint64_t peak = peakMemory();
    CUTAWAY_TRY(const auto runs,
                model.device().is_cpu()
                    ? alternatingRuns(HostClock(samples), model, inputs, request, stop)
                    : alternatingRuns(DeviceClock(samples, model.device()), model, inputs, request, stop));
    Profile::Result result;
    result.whole = spreadOf(runs.plain.seconds());
    result.instrumented = spreadOf(runs.instrumented.seconds());
    result.peakBytes = peak;
    if (program)
        setNodes(result, *program, samples, runs.instrumented);
    return result;
}

} // namespace cutaway::plugins
