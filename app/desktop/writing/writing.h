// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "views/parts/latest_work.h"

#include <QStringList>

class QWidget;

namespace cutaway::desktop {

class Status;

/// Writes files on another thread, and shows the progress and the outcome in the window's status bar.
class Writing : public QObject {
    Q_OBJECT

public:
    using Work = std::function<Result<void>(std::stop_token)>;

    Writing(Status &status, QWidget &window);

    /// Does `work` on another thread. Afterwards it shows the error, if there is one, else it calls `after`.
    void start(const QString &what, Work work, std::function<void()> after = {});
    /// Does `work`, which writes the files `paths`, and then names them in the status bar.
    void exportTo(const QStringList &paths, Work work);
    bool isBusy() const { return m_work.isBusy(); }

signals:
    void busyChanged();

private:
    Status &m_status;
    QWidget &m_window;
    views::LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::desktop
