// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>
#include <QTimer>
#include <functional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

/// What is shown, in numbers, and what is under way, with a way to stop it. Work that ends at once is not announced.
class Status : public QStatusBar {
public:
    explicit Status(QWidget *parent);

    /// Null: nothing is open.
    void show(const views::Session *session, std::function<void()> showDiagnostics = {});
    void begin(const QString &what, std::function<void()> cancel);
    void progress(const QString &what, quint64 done, quint64 total);
    void end();

private:
    void showDiagnosticCount(const views::Session &session);

    QLabel *m_facts;
    QToolButton *m_diagnostics;
    QLabel *m_what;
    QProgressBar *m_bar;
    QToolButton *m_cancel;
    QTimer m_patience;
    std::function<void()> m_onCancel;
    std::function<void()> m_onDiagnostics;
};

} // namespace cutaway::desktop
