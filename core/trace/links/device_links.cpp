// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/device_links.h"

#include <algorithm>

namespace cutaway::trace {

namespace {

class DeviceLinks {
public:
    DeviceLinks(const Trace &trace, const Nesting &nesting, const Linked &linked)
        : m_trace(trace),
          m_nesting(nesting),
          m_linked(linked)
    {
        const auto isOnDevice = [](const Event &event) { return event.category == Category::Device; };
        if (std::ranges::none_of(trace.events, isOnDevice))
            return;
        for (std::size_t i = 0; i < linked.rows.size(); ++i)
            m_rows.emplace(linked.rows[i].event, i);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            addEvent(i);
        for (auto &[name, events] : m_named)
            std::ranges::sort(events, {}, [&](EventIndex node) { return trace.events[node].position; });
    }

    std::vector<DeviceRow> find()
    {
        std::vector<DeviceRow> rows;
        for (EventIndex i = 0; i < m_trace.events.size(); ++i)
            if (m_trace.events[i].category == Category::Device)
                rows.push_back(m_trace.kind == Kind::OnnxRuntime ? ofOnnxRuntime(i) : ofTorch(i));
        return rows;
    }

private:
    void addEvent(EventIndex i)
    {
        const Event &event = m_trace.events[i];
        const Details &details = m_trace.detailsOf(event);
        if (event.category == Category::Operator && details.externalId)
            m_operators.emplace(*details.externalId, i);
        if (event.category == Category::Operator && m_trace.kind == Kind::OnnxRuntime)
            m_named[event.name].push_back(i);
        if (event.category == Category::Launch && details.correlation)
            m_launches.emplace(*details.correlation, i);
        if (event.category == Category::Device && details.correlation)
            ++m_kernels[*details.correlation];
    }

    DeviceRow ofTorch(EventIndex i) const
    {
        const Details &details = m_trace.detailsOf(m_trace.events[i]);
        DeviceRow row{i, {}, {}, {}};
        const auto kernels = details.correlation ? m_kernels.find(*details.correlation) : m_kernels.end();
        if (details.isOfCudaGraph || (kernels != m_kernels.end() && kernels->second > 1)) {
            row.link.reason = "it is part of a CUDA graph, which was launched as a whole";
            return row;
        }
        const bool hasId = details.externalId && details.externalId != details.correlation;
        const auto named = hasId ? m_operators.find(*details.externalId) : m_operators.end();
        row.launchedBy = named != m_operators.end() ? std::optional(named->second) : aroundLaunch(details);
        if (!row.launchedBy)
            row.link.reason = "no operator is known that launched it";
        else
            takeNodes(*row.launchedBy, row);
        return row;
    }

    std::optional<EventIndex> aroundLaunch(const Details &details) const
    {
        const auto launch = details.correlation ? m_launches.find(*details.correlation) : m_launches.end();
        if (launch == m_launches.end())
            return std::nullopt;
        const Event &event = m_trace.events[launch->second];
        auto around = m_nesting.runningAt(event.lane, event.start);
        while (around && m_trace.events[*around].category != Category::Operator)
            around = m_nesting.parentOf(*around);
        return around;
    }

    void takeNodes(EventIndex operation, DeviceRow &kernel) const
    {
        for (std::optional<EventIndex> at = operation; at; at = m_nesting.parentOf(*at))
            if (const auto row = m_rows.find(*at); row != m_rows.end()) {
                kernel.link = m_linked.rows[row->second].link;
                kernel.iteration = m_linked.rows[row->second].iteration;
                if (kernel.link.nodes.empty())
                    kernel.link.reason = "the operator that launched it belongs to no node";
                return;
            }
        kernel.link.reason = "the operator that launched it is in no run of the model";
    }

    /// Returns the row of a kernel of ONNX Runtime, which is named after its node's event and follows it.
    DeviceRow ofOnnxRuntime(EventIndex i) const
    {
        const Details &details = m_trace.detailsOf(m_trace.events[i]);
        DeviceRow row{i, {}, {}, {}};
        const auto named = m_named.find(details.parent);
        if (named != m_named.end())
            if (const auto after =
                    std::ranges::upper_bound(named->second, m_trace.events[i].position, {},
                                             [&](EventIndex node) { return m_trace.events[node].position; });
                after != named->second.begin())
                row.launchedBy = *std::prev(after);
        if (!row.launchedBy)
            row.link.reason = "no node is known that launched it";
        else
            takeNodes(*row.launchedBy, row);
        return row;
    }

    const Trace &m_trace;
    const Nesting &m_nesting;
    const Linked &m_linked;
    std::unordered_map<EventIndex, std::size_t> m_rows;          ///< the rows of events
    std::unordered_map<std::int64_t, EventIndex> m_operators;    ///< by id
    std::unordered_map<std::int64_t, EventIndex> m_launches;     ///< by correlation
    std::unordered_map<std::int64_t, std::size_t> m_kernels;     ///< by correlation: the number of kernels with it
    std::unordered_map<TextId, std::vector<EventIndex>> m_named; ///< nodes of ONNX Runtime by name
};

} // namespace

std::vector<DeviceRow> linkDevices(const Trace &trace, const Nesting &nesting, const Linked &linked)
{
    return DeviceLinks(trace, nesting, linked).find();
}

} // namespace cutaway::trace
