// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/traced_event.h"

#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/session/figures.h"
#include "views/session/running/opened_trace.h"
#include "views/session/times_text.h"

#include <QObject>
#include <algorithm>

namespace cutaway::views {

QString nameOf(const trace::Iteration &iteration)
{
    return iteration.name.empty() ? QObject::tr("the trace") : shown(iteration.name);
}

std::optional<ir::NodeId> TracedEvent::node() const
{
    const auto first = m_opened.timeline.firstNodeOf(m_event);
    if (!first || m_figures.has(*first))
        return first;
    const auto &nodes = m_opened.timeline.linkOf(m_event)->nodes;
    const auto node = std::ranges::find_if(nodes, [this](ir::NodeId id) { return m_figures.has(id); });
    return node == nodes.end() ? std::nullopt : std::optional(*node);
}

bool TracedEvent::isLinked() const { return m_opened.timeline.linkedEvent(m_event) == m_event; }

QStringList TracedEvent::labels() const
{
    const QString name = shown(m_opened.trace.nameOf(m_opened.trace.events[m_event]));
    const auto node = isLinked() ? this->node() : std::nullopt;
    if (!node)
        return {name};
    return {QObject::tr("%1 → %2").arg(name, shownName({m_figures.function().graph, *node})), name};
}

QString TracedEvent::nodesText() const
{
    const trace::Link *link = m_opened.timeline.linkOf(m_event);
    if (!link)
        return QObject::tr("around or between nodes");
    if (link->nodes.empty())
        return QObject::tr("no node: %1").arg(shown(link->reason));
    QStringList names;
    for (const ir::NodeId node : link->nodes)
        if (m_figures.has(node))
            names << nodeText({m_figures.function().graph, node});
    if (names.isEmpty())
        return QObject::tr("of a removed node");
    const QString nodes = names.join(QStringLiteral(", "));
    const QString whose = link->sharing == trace::Sharing::Ambiguous ? QObject::tr("of one of %1").arg(nodes)
        : isLinked()                                                 ? QObject::tr("of %1").arg(nodes)
                                                                     : QObject::tr("a part of %1").arg(nodes);
    return QObject::tr("%1 (by %2%3)")
        .arg(whose, shown(trace::name(link->evidence)), link->isSure ? QString() : QObject::tr(", not sure"));
}

QString TracedEvent::timesText() const
{
    const trace::Event &event = m_opened.trace.events[m_event];
    const auto iteration = m_opened.timeline.iterationAt(event.start);
    const auto &iterations = m_opened.linked.iterations;
    const std::int64_t begin = iteration ? iterations[*iteration].start : m_opened.timeline.start();
    return QObject::tr("%1, %2 after the start of %3")
        .arg(secondsText(static_cast<double>(event.duration) * nanosecond),
             secondsText(static_cast<double>(event.start - begin) * nanosecond),
             iteration ? nameOf(iterations[*iteration]) : QObject::tr("the trace"));
}

QStringList TracedEvent::launchesText() const
{
    const trace::Trace &trace = m_opened.trace;
    QStringList lines;
    if (const auto launcher = m_opened.timeline.launcherOf(m_event))
        lines << QObject::tr("launched by %1").arg(shown(trace.nameOf(trace.events[*launcher])));
    const auto launched = m_opened.timeline.launchesOf(m_event);
    double time = 0;
    for (const trace::EventIndex each : launched)
        time += static_cast<double>(trace.events[each].duration);
    if (!launched.empty())
        lines << QObject::tr("%1 on devices, %2")
                     .arg(counted(std::ssize(launched), "launch", "launches"), secondsText(time * nanosecond));
    return lines;
}

QString TracedEvent::text() const
{
    const trace::Trace &trace = m_opened.trace;
    const trace::Event &event = trace.events[m_event];
    QStringList lines{shown(trace.nameOf(event)), nodesText(), timesText()};
    if (const trace::TextId dims = trace.detailsOf(event).dims; dims != trace::TextId::None)
        lines << QObject::tr("inputs %1").arg(shown(trace.texts.at(dims)));
    return (lines + launchesText()).join('\n');
}

} // namespace cutaway::views
