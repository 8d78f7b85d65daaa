// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/elided_label.h"

#include "views/parts/text.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

namespace cutaway::views {

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent) : QWidget(parent), m_text(text)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(text);
}

void ElidedLabel::setText(const QString &text)
{
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setAction(std::function<void()> action)
{
    m_action = std::move(action);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const
{
    const int few = fontMetrics().averageCharWidth() * 8;
    return {std::min(few, sizeHint().width()), sizeHint().height()};
}

/// Returns the elided text. A shape is elided at its end, since without its middle it would read as another shape.
QString ElidedLabel::elided() const
{
    const auto mode = m_text.contains('[') ? Qt::ElideRight : Qt::ElideMiddle;
    return fontMetrics().elidedText(m_text, mode, width());
}

bool ElidedLabel::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const QString full = m_detail.isEmpty() ? (elided() == m_text ? QString() : m_text) : m_detail;
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), toolTipText(full), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_action) {
        painter.setPen(palette().color(QPalette::Link));
        if (underMouse() || hasFocus()) {
            QFont underlined = font();
            underlined.setUnderline(true);
            painter.setFont(underlined);
        }
    } else {
        painter.setPen(palette().color(foregroundRole()));
    }
    painter.drawText(rect(), int(m_alignment | Qt::AlignVCenter), elided());
}

void ElidedLabel::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_action && event->button() == Qt::LeftButton && rect().contains(event->pos()))
        m_action();
}

void ElidedLabel::keyPressEvent(QKeyEvent *event)
{
    if (m_action && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space))
        m_action();
    else
        QWidget::keyPressEvent(event);
}

void ElidedLabel::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(tr("Copy"), this);
    menu.addAction(tr("Copy"), [this] { QGuiApplication::clipboard()->setText(m_text); });
    menu.exec(event->globalPos());
}

} // namespace cutaway::views
