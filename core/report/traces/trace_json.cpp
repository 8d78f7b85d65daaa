// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/ir/names.h"
#include "core/print/dim_json.h"
#include "core/report/cost_tables.h"
#include "core/report/traces/trace_report.h"

#include <cmath>

namespace cutaway::report {

namespace {

/// Returns nanoseconds in the form of the profilers: microseconds with three decimals.
double microseconds(double nanoseconds) { return std::round(nanoseconds) / 1000; }
double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

class TraceWriter {
public:
    explicit TraceWriter(const TraceReport &report) : m_report(report), m_trace(report.trace), m_graph(report.graph())
    {
    }

    std::string write()
    {
        m_out.beginObject();
        m_out.member("schema", "cutaway.trace/1");
        m_out.member("model", m_report.modelPath);
        m_out.member("trace", m_report.tracePath);
        m_out.member("kind", trace::name(m_trace.kind));
        m_out.list("iterations", m_report.linked.iterations, [&](const auto &each) { writeIteration(each); });
        writeTimes(m_report.summary.all);
        m_out.list("lanes", m_report.summary.lanes, [&](const auto &each) {
            m_out.beginObject();
            m_out.member("id", m_trace.texts.at(each.first));
            writeTimes(each.second);
            m_out.endObject();
        });
        m_out.list("rows", m_report.linked.rows, [&](const trace::Row &row) { writeRow(row); });
        m_out.list("nodes", measuredNodes(m_report), [&](const MeasuredNode &each) { writeNode(each); });
        writeModules();
        m_out.list("kernels", m_report.linked.devices, [&](const trace::DeviceRow &row) { writeKernel(row); });
        m_out.key("device");
        m_out.beginObject();
        m_out.member("time", microseconds(m_report.summary.device.total));
        m_out.member("linked", microseconds(m_report.summary.device.linked));
        m_out.member("unlinked", microseconds(m_report.summary.device.unlinked));
        m_out.endObject();
        writeIdle();
        writeMemory();
        m_out.list("diagnostics", m_report.linked.diagnostics, [&](const ir::Diagnostic &each) {
            m_out.beginObject();
            m_out.member("severity", ir::name(each.severity));
            m_out.member("code", each.code);
            m_out.member("message", each.message);
            m_out.endObject();
        });
        m_out.endObject();
        return m_out.take();
    }

private:
    void writeIteration(const trace::Iteration &each)
    {
        m_out.beginObject();
        m_out.member("name", each.name);
        m_out.member("start", microseconds(each.start));
        m_out.member("duration", microseconds(each.duration));
        m_out.member("warmup", each.isWarmUp);
        m_out.endObject();
    }

    void writeTimes(const trace::LaneTime &time)
    {
        m_out.member("total", microseconds(time.total));
        m_out.member("linked", microseconds(time.linked));
        m_out.member("unlinked", microseconds(time.unlinked));
        m_out.member("gaps", microseconds(time.gaps()));
    }

    void textOrNull(std::string_view key, std::string_view text)
    {
        m_out.key(key);
        text.empty() ? m_out.null() : m_out.value(text);
    }

    std::string nameOf(ir::NodeId node) const { return ir::nameOf(ir::NodeRef(m_graph, node)); }

    void writeNodes(const std::vector<ir::NodeId> &nodes)
    {
        std::vector<std::string> names;
        for (const ir::NodeId node : nodes)
            names.push_back(nameOf(node));
        m_out.list("nodes", names);
    }

    void writeRow(const trace::Row &row)
    {
        const trace::Event &event = m_trace.events[row.event];
        m_out.beginObject();
        m_out.member("event", event.position);
        m_out.member("name", m_trace.nameOf(event));
        m_out.member("iteration", row.iteration);
        m_out.member("lane", m_trace.texts.at(event.lane));
        m_out.member("duration", microseconds(row.duration));
        writeNodes(row.link.nodes);
        textOrNull("shared",
                   !row.link.sharing                                ? ""
                       : *row.link.sharing == trace::Sharing::Fused ? "fused"
                                                                    : "ambiguous");
        textOrNull("phase", !row.phase ? "" : *row.phase == trace::Phase::Forward ? "forward" : "backward");
        m_out.member("sure", row.link.isSure);
        textOrNull("how", row.link.nodes.empty() ? "" : trace::name(row.link.evidence));
        textOrNull("reason", row.link.reason);
        m_out.endObject();
    }

    void writeNode(const MeasuredNode &node)
    {
        const trace::NodeTime &time = *node.time;
        m_out.beginObject();
        m_out.member("node", nameOf(node.id));
        m_out.member("time", microseconds(time.time));
        m_out.member("calls", time.calls);
        m_out.member("min", microseconds(time.min));
        m_out.member("median", microseconds(time.median));
        numberOrNull("device_time", time.device.transform([](double each) { return microseconds(each); }));
        m_out.member("launches", time.launches);
        numberOrNull("flops_per_second", node.flopsPerSecond());
        numberOrNull("bytes_per_second", node.bytesPerSecond());
        if (m_report.estimate)
            numberOrNull("predicted", node.predicted.transform([](const auto &each) { return each.seconds * 1e6; }));
        m_out.endObject();
    }

    void numberOrNull(std::string_view key, std::optional<double> number)
    {
        m_out.key(key);
        number ? m_out.value(*number) : m_out.null();
    }

    void writeIdle()
    {
        m_out.list("idle", m_report.summary.idle, [&](const trace::IdleTime &each) {
            m_out.beginObject();
            m_out.key("device");
            each.device ? m_out.value(*each.device) : m_out.null();
            textOrNull("lane", each.stream ? m_trace.texts.at(*each.stream) : "");
            m_out.member("total", microseconds(each.total));
            m_out.member("idle", microseconds(each.idle));
            m_out.list("waits", each.waits, [&](const trace::Wait &wait) {
                m_out.beginObject();
                m_out.key("event");
                wait.operation ? m_out.value(m_trace.events[*wait.operation].position) : m_out.null();
                textOrNull("name", wait.operation ? m_trace.nameOf(m_trace.events[*wait.operation]) : "");
                writeNodes(wait.nodes);
                m_out.member("time", microseconds(wait.time));
                m_out.member("count", wait.count);
                m_out.endObject();
            });
            m_out.endObject();
        });
    }

    void writeMemory()
    {
        m_out.list("memory", m_report.memory, [&](const trace::MemoryUse &use) {
            m_out.beginObject();
            m_out.member("device", m_trace.texts.at(use.device));
            m_out.member("peak", use.peakBytes());
            m_out.member("peak_at", use.curve.empty() ? 0.0 : microseconds(use.curve[use.peak].time));
            m_out.key("warm_up_peak");
            use.warmUpPeak > 0 ? m_out.value(use.warmUpPeak) : m_out.null();
            m_out.member("released_unseen", std::uint64_t{use.releasedUnseen});
            m_out.list("live", use.liveAtPeak, [&](const trace::Allocation &each) { writeAllocation(each); });
            m_out.list("curve", use.curve, [&](const trace::MemoryUse::Point &point) {
                m_out.beginArray();
                m_out.value(microseconds(point.time));
                m_out.value(point.bytes);
                m_out.endArray();
            });
            m_out.endObject();
        });
    }

    void writeAllocation(const trace::Allocation &each)
    {
        const trace::Row *const row = each.row ? &m_report.linked.rows[*each.row] : nullptr;
        m_out.beginObject();
        m_out.member("bytes", each.bytes);
        m_out.member("time", microseconds(each.time));
        m_out.key("event");
        row ? m_out.value(m_trace.events[row->event].position) : m_out.null();
        writeNodes(row ? row->link.nodes : std::vector<ir::NodeId>());
        m_out.endObject();
    }

    void writeModules()
    {
        m_out.key("modules");
        m_out.beginArray();
        for (const ModuleRow &module : costTables(m_report.model, m_report.analysis, nullptr).modules) {
            const auto time = m_report.summary.modules.find(module.path);
            m_out.beginObject();
            m_out.member("module", module.path);
            m_out.member("time", time == m_report.summary.modules.end() ? 0.0 : microseconds(time->second));
            m_out.key("flops");
            print::writeDim(m_out, module.sum.uncounted > 0 ? ir::Dim(ir::UnknownDim{}) : module.sum.cost.flops);
            m_out.endObject();
        }
        m_out.endArray();
    }

    void writeKernel(const trace::DeviceRow &row)
    {
        const trace::Event &event = m_trace.events[row.event];
        const trace::Details &details = m_trace.detailsOf(event);
        m_out.beginObject();
        m_out.member("event", event.position);
        m_out.member("name", m_trace.nameOf(event));
        m_out.key("launched_by");
        row.launchedBy ? m_out.value(m_trace.events[*row.launchedBy].position) : m_out.null();
        m_out.key("device");
        details.device ? m_out.value(*details.device) : m_out.null();
        textOrNull("stream", m_trace.texts.at(details.stream));
        m_out.member("duration", microseconds(event.duration));
        writeNodes(row.link.nodes);
        textOrNull("reason", row.link.reason);
        m_out.endObject();
    }

    const TraceReport &m_report;
    const trace::Trace &m_trace;
    const ir::Graph &m_graph;
    JsonWriter m_out;
};

} // namespace

std::string traceJson(const TraceReport &report) { return TraceWriter(report).write(); }

} // namespace cutaway::report
