// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/ir/names.h"
#include "core/report/traces/trace_comparison.h"

#include <cmath>

namespace cutaway::report {

namespace {

class TraceComparisonWriter {
public:
    explicit TraceComparisonWriter(const TraceComparison &compared) : m_compared(compared) { }

    std::string write()
    {
        const trace::Comparison &comparison = m_compared.comparison;
        m_out.beginObject();
        m_out.member("schema", "cutaway.trace-comparison/1");
        m_out.member("model", m_compared.modelPath);
        m_out.member("a", m_compared.before);
        m_out.member("b", m_compared.after);
        m_out.member("on_devices", comparison.isOnDevices);
        m_out.key("whole");
        m_out.beginObject();
        writeChange(comparison.whole);
        m_out.endObject();
        m_out.list("nodes", comparison.nodes, [&](const trace::NodeChange &each) {
            m_out.beginObject();
            m_out.member("node", ir::nameOf(ir::NodeRef(m_compared.graph, each.node)));
            writeChange(each.time);
            m_out.member("moved", each.isMoved);
            m_out.endObject();
        });
        m_out.list("modules", comparison.modules, [&](const auto &each) {
            m_out.beginObject();
            m_out.member("module", each.first);
            writeChange(each.second);
            m_out.endObject();
        });
        m_out.list("others", comparison.others, [&](const trace::OtherChange &each) {
            m_out.beginObject();
            m_out.member("name", each.name);
            writeChange(each.time);
            m_out.endObject();
        });
        m_out.endObject();
        return m_out.take();
    }

private:
    static double microseconds(double seconds) { return std::round(seconds * 1e9) / 1000; }

    void writeSpreadOf(std::string_view key, const std::optional<protocol::Spread> &spread)
    {
        m_out.key(key);
        if (!spread)
            return m_out.null();
        m_out.beginObject();
        m_out.member("median", microseconds(spread->median));
        m_out.member("p5", microseconds(spread->p5));
        m_out.member("p95", microseconds(spread->p95));
        m_out.member("count", spread->count);
        m_out.endObject();
    }

    void writeChange(const run::TimeChange &change)
    {
        writeSpreadOf("a_us", change.before);
        writeSpreadOf("b_us", change.after);
        m_out.key("ratio");
        change.ratio() ? m_out.value(*change.ratio()) : m_out.null();
        m_out.member("verdict", run::name(change.verdict()));
    }

    const TraceComparison &m_compared;
    JsonWriter m_out;
};

} // namespace

std::string traceComparisonJson(const TraceComparison &compared) { return TraceComparisonWriter(compared).write(); }

} // namespace cutaway::report
