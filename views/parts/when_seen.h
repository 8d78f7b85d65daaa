// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace cutaway::views {

/// Keeps the content of a widget up to date, but only while somebody sees it: hidden tabs cost nothing.
class WhenSeen : public QObject {
public:
    /// Owned by the widget.
    WhenSeen(QWidget *widget, std::function<void()> fill);

    /// What is shown is out of date: it is filled now, or as soon as the widget is shown.
    void refresh();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_widget;
    std::function<void()> m_fill;
    bool m_stale = true;
};

} // namespace cutaway::views
