// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace cutaway::views {

/// Keeps the content of a widget up to date while it is visible; a hidden widget costs nothing.
class WhenSeen : public QObject {
public:
    /// `fill` fills the widget. The widget owns this object.
    WhenSeen(QWidget *widget, std::function<void()> fill);

    /// Fills the widget now if it is visible, else when it is shown.
    void refresh();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_widget;
    std::function<void()> m_fill;
    bool m_stale = true;
};

} // namespace cutaway::views
