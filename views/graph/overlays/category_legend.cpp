// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/overlays/category_legend.h"

#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

#include <QPainter>
#include <algorithm>
#include <map>

namespace cutaway::views {
namespace {

constexpr int legendPadding = 8, legendRow = 18, dotRoom = 16, legendGap = 14;

} // namespace

CategoryLegend::CategoryLegend(Canvas &canvas) : QWidget(&canvas), m_canvas(canvas)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Colours of the operators"));
    setFont(diagramFont(layout::Line::Style::Detail));
    connect(&canvas, &Canvas::pictureChanged, this, &CategoryLegend::collect);
    collect();
}

void CategoryLegend::collect()
{
    std::map<ops::Category, int> counts;
    if (m_canvas.picture())
        for (const layout::Box &box : m_canvas.picture()->diagram().boxes)
            if (box.kind == layout::Box::Kind::Node && !box.open)
                ++counts[box.category];
    m_categories.clear();
    for (const auto &[category, count] : counts)
        m_categories.push_back(category);
    std::ranges::stable_sort(m_categories, std::greater(), [&](ops::Category category) { return counts[category]; });
    QStringList names;
    for (const ops::Category category : m_categories)
        names << shown(ops::name(category));
    setAccessibleDescription(names.join(", "));
    update();
}

bool CategoryLegend::isUseful() const
{
    return !m_canvas.highlighting().tinting() && !m_categories.empty() && m_canvas.viewport().zoom < titleZoom;
}

/// Arranges the entries as text runs, in lines of the available width.
std::vector<CategoryLegend::Entry> CategoryLegend::placed(int width) const
{
    std::vector<Entry> entries;
    QPoint at(legendPadding, legendPadding);
    for (const ops::Category category : m_categories) {
        const QString text = shown(ops::name(category));
        const int needed = dotRoom + fontMetrics().horizontalAdvance(text);
        if (at.x() > legendPadding && at.x() + needed + legendPadding > width)
            at = {legendPadding, at.y() + legendRow};
        entries.push_back({text, category, at});
        at.rx() += needed + legendGap;
    }
    return entries;
}

QSize CategoryLegend::sizeWithin(int width) const
{
    QSize size;
    for (const Entry &entry : placed(width))
        size = size.expandedTo(
            {entry.at.x() + dotRoom + fontMetrics().horizontalAdvance(entry.text), entry.at.y() + legendRow});
    return size + QSize(legendPadding, legendPadding);
}

void CategoryLegend::paintEvent(QPaintEvent *)
{
    const drawing::Palette &colors = diagramPalette(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toColor(colors.cardBorder), 1));
    painter.setBrush(toColor(colors.card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    for (const Entry &entry : placed(width())) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(toColor(colors.category(entry.category)));
        painter.drawEllipse(QPointF(entry.at) + QPointF(5, legendRow / 2.0), 4.5, 4.5);
        painter.setPen(toColor(colors.text));
        painter.drawText(QRect(entry.at + QPoint(dotRoom, 0), QSize(width(), legendRow)), Qt::AlignVCenter, entry.text);
    }
}

} // namespace cutaway::views
