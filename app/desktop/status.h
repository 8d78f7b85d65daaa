// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QStatusBar>
#include <QTimer>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QToolButton;

namespace cutaway::views {
class LatestWork;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

/// The status bar: figures of the model, and work in progress with a button to cancel it, unless the work is short.
class Status : public QStatusBar {
public:
    explicit Status(QWidget *parent);

    /// Shows the figures of a session; nullptr if no model is open. A click on the diagnostics calls `showDiagnostics`.
    void show(const views::Session *session, std::function<void()> showDiagnostics = {});
    void begin(const QString &what, std::function<void()> cancel);
    void progress(const QString &what, quint64 done, quint64 total);
    void end();
    /// Shows a text for a few seconds.
    void tell(const QString &text);
    /// Names files that were written, as links that open them.
    void exported(const QStringList &paths);
    void saved(const QString &path);

private:
    void tellWritten(const QString &what, const QStringList &paths);
    void countDiagnostics(const views::Session &session);
    void showDiagnosticCount(const std::vector<ir::Diagnostic> &all);

    QLabel *m_facts;
    QToolButton *m_diagnostics;
    QLabel *m_written;
    QTimer m_writtenLately;
    QLabel *m_what;
    QProgressBar *m_bar;
    QToolButton *m_cancel;
    QTimer m_patience;
    std::function<void()> m_onCancel;
    std::function<void()> m_onDiagnostics;
    views::LatestWork *m_linting;
};

} // namespace cutaway::desktop
