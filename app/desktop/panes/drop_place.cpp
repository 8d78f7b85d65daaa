// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/drop_place.h"

#include "views/appearance/theme.h"

#include <QPainter>

namespace cutaway::desktop {
namespace {

constexpr int margin = 6, cornerRadius = 6, padding = 10;
constexpr int veilAlpha = 40;

} // namespace

DropPlace::DropPlace(QWidget *parent) : QWidget(parent)
{
    setObjectName("drop-place");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropPlace::showAt(const QRect &place, const QString &name)
{
    m_name = name;
    setGeometry(place);
    show();
    raise();
    update();
}

void DropPlace::paintEvent(QPaintEvent *)
{
    const drawing::Palette &colors = views::diagramPalette(palette());
    const QRectF frame = QRectF(rect()).adjusted(margin, margin, -margin, -margin);
    QColor veil = views::toColor(colors.selection);
    veil.setAlpha(veilAlpha);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(views::toColor(colors.selection), 2));
    painter.setBrush(veil);
    painter.drawRoundedRect(frame, cornerRadius, cornerRadius);
    const QString name = fontMetrics().elidedText(m_name, Qt::ElideMiddle, int(frame.width()) - 4 * padding);
    QRectF plate(QPointF(), fontMetrics().size(Qt::TextSingleLine, name) + QSize(2 * padding, padding));
    plate.moveCenter(frame.center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(views::toColor(colors.card));
    painter.drawRoundedRect(plate, cornerRadius, cornerRadius);
    painter.setPen(views::toColor(colors.text));
    painter.drawText(plate, Qt::AlignCenter, name);
}

} // namespace cutaway::desktop
