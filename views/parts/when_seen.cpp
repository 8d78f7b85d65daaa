// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/when_seen.h"

#include <QEvent>
#include <QWidget>

namespace cutaway::views {

WhenSeen::WhenSeen(QWidget *widget, std::function<void()> fill)
    : QObject(widget),
      m_widget(widget),
      m_fill(std::move(fill))
{
    widget->installEventFilter(this);
}

void WhenSeen::refresh()
{
    m_stale = !m_widget->isVisible();
    if (!m_stale)
        m_fill();
}

bool WhenSeen::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show && m_stale) {
        m_stale = false;
        m_fill();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace cutaway::views
