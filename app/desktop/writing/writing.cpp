// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/writing/writing.h"

#include "app/desktop/problem.h"
#include "app/desktop/status.h"
#include "views/parts/text.h"

#include <QFileInfo>

namespace cutaway::desktop {

Writing::Writing(Status &status, QWidget &window) : m_status(status), m_window(window)
{
    connect(&m_work, &views::LatestWork::busyChanged, this, &Writing::busyChanged);
}

void Writing::start(const QString &what, Work work, std::function<void()> after)
{
    m_status.begin(what, [this] {
        m_work.cancel();
        m_status.end();
    });
    m_work.request([this, what, work = std::move(work),
                    after = std::move(after)](const std::stop_token &stop) -> views::LatestWork::Finish {
        Result<void> written = work(stop);
        return [this, what, after, written = std::move(written)] {
            m_status.end();
            if (written && after)
                after();
            else if (!written && written.error().kind != ErrorKind::Cancelled)
                tellProblem(m_window, what, views::sentence(views::shown(written.error().text())));
        };
    });
}

void Writing::exportTo(const QStringList &paths, Work work)
{
    start(tr("Writing %1").arg(QFileInfo(paths.front()).fileName()), std::move(work),
          [this, paths] { m_status.exported(paths); });
}

} // namespace cutaway::desktop
