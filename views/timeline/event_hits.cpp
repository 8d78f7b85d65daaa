// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/event_hits.h"

#include "core/ir/node_ref.h"
#include "views/parts/text.h"
#include "views/session/running/opened_trace.h"

#include <algorithm>
#include <optional>

namespace cutaway::views {
namespace {

/// Decides which events match a text. Each name is compared once, since millions of events share some thousands.
class Match {
public:
    Match(const OpenedTrace &trace, const ir::Graph &graph, QString text)
        : m_trace(trace),
          m_text(std::move(text)),
          m_nodes(graph.nodeCount())
    {
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            m_nodes[id.index] = !graph.at(id).removed && has(shownName({graph, id}));
    }

    bool isHit(trace::EventIndex event)
    {
        const bool isNamedSo = isHit(m_trace.trace.events[event].name);
        const trace::Link *link = m_trace.timeline.linkOf(event);
        return isNamedSo
            || (link && m_trace.timeline.linkedEvent(event) == event
                && std::ranges::any_of(link->nodes, [this](ir::NodeId node) {
                       return node.index < m_nodes.size() && m_nodes[node.index];
                   }));
    }

private:
    bool isHit(trace::TextId name)
    {
        const auto place = std::size_t(name);
        if (place >= m_names.size())
            m_names.resize(place + 1);
        if (!m_names[place])
            m_names[place] = has(shown(m_trace.trace.texts.at(name)));
        return *m_names[place];
    }

    bool has(const QString &name) const { return name.contains(m_text, Qt::CaseInsensitive); }

    const OpenedTrace &m_trace;
    QString m_text;
    std::vector<bool> m_nodes;
    std::vector<std::optional<bool>> m_names; ///< by TextId: whether the name matches; nothing: not compared yet
};

} // namespace

EventHits findEvents(const OpenedTrace &trace, const ir::Graph &graph, const QString &text, const std::stop_token &stop)
{
    EventHits hits;
    Match match(trace, graph, text);
    for (const trace::Lane &lane : trace.timeline.lanes()) {
        std::vector<trace::LaneRow> &rows = hits.lanes.emplace_back();
        for (const trace::LaneRow &row : lane.rows) {
            std::vector<trace::EventIndex> found;
            std::ranges::copy_if(row.events(), std::back_inserter(found),
                                 [&](trace::EventIndex event) { return !stop.stop_requested() && match.isHit(event); });
            hits.all.insert(hits.all.end(), found.begin(), found.end());
            rows.emplace_back(std::move(found), trace.trace.events);
        }
    }
    std::ranges::sort(hits.all);
    return hits;
}

} // namespace cutaway::views
