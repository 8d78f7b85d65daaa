// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/event_look.h"

#include "core/ops/category.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/session/figures.h"
#include "views/session/running/opened_trace.h"
#include "views/timeline/traced_event.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr double paler = 0.45; ///< the share of the node's colour in that of an event inside the node's event
constexpr int roomStep = 8;    ///< texts are truncated to multiples of so many pixels, so that events can share a text
constexpr std::size_t mostLabels = 20'000;

} // namespace

QColor mixed(const QColor &color, const QColor &ground, double share)
{
    const auto mix = [share](int a, int b) { return int(std::lround(a * share + b * (1 - share))); };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()), mix(color.blue(), ground.blue())};
}

EventLook::EventLook(std::shared_ptr<const OpenedTrace> opened, std::shared_ptr<const Figures> figures,
                     QPalette palette)
    : m_opened(std::move(opened)),
      m_figures(std::move(figures)),
      m_palette(std::move(palette))
{
    const ir::Graph &graph = m_figures->function().graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        m_colors.push_back(graph.at(id).removed
                               ? separator(m_palette)
                               : toColor(diagramPalette(m_palette).category(ops::categoryOf({graph, id}))));
}

QColor EventLook::colorOf(trace::EventIndex event) const
{
    const QColor ground = m_palette.color(QPalette::Base);
    const TracedEvent traced(*m_opened, *m_figures, event);
    const auto node = traced.node();
    if (!node)
        return m_opened->timeline.linkOf(event) ? mixed(mutedText(m_palette), ground, paler)
                                                : m_palette.color(QPalette::AlternateBase);
    return traced.isLinked() ? m_colors[node->index] : mixed(m_colors[node->index], ground, paler);
}

bool EventLook::hasNode(trace::EventIndex event) const
{
    return TracedEvent(*m_opened, *m_figures, event).node().has_value();
}

bool EventLook::isHatched(trace::EventIndex event) const
{
    const TracedEvent traced(*m_opened, *m_figures, event);
    return traced.isLinked() && !traced.node();
}

EventLook::Laid EventLook::laid(const QPainter &painter, const QString &text) const
{
    Laid laid{QStaticText(text), painter.fontMetrics().horizontalAdvance(text) * 1.0};
    laid.text.setTextFormat(Qt::PlainText);
    laid.text.prepare(painter.transform(), painter.font());
    return laid;
}

EventLook::Label &EventLook::labelOf(const QPainter &painter, trace::EventIndex event)
{
    const TracedEvent traced(*m_opened, *m_figures, event);
    const auto node = traced.isLinked() ? traced.node() : std::nullopt;
    if (m_labels.size() >= mostLabels)
        m_labels.clear();
    const auto [found, isNew] =
        m_labels.try_emplace({m_opened->trace.events[event].name, node ? node->index : ~std::uint32_t{0}});
    if (isNew)
        for (const QString &text : traced.labels())
            found->second.whole.push_back(laid(painter, text));
    return found->second;
}

const EventLook::Laid &EventLook::fitting(const QPainter &painter, trace::EventIndex event, double room)
{
    Label &label = labelOf(painter, event);
    const auto fits = std::ranges::find_if(label.whole, [room](const Laid &each) { return each.width <= room; });
    if (fits != label.whole.end())
        return *fits;
    const int cut = int(room) / roomStep * roomStep;
    const auto [found, isNew] = label.elided.try_emplace(cut);
    if (isNew)
        found->second =
            laid(painter, painter.fontMetrics().elidedText(label.whole.back().text.text(), Qt::ElideRight, cut));
    return found->second;
}

void EventLook::drawLabel(QPainter &painter, const QRectF &box, trace::EventIndex event)
{
    const Laid &label = fitting(painter, event, box.width() - 8);
    const double height = painter.fontMetrics().height();
    painter.drawStaticText(QPointF(box.left() + 5, box.top() + (box.height() - height) / 2), label.text);
}

} // namespace cutaway::views
