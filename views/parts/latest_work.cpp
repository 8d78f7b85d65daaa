// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/latest_work.h"

#include <utility>

namespace cutaway::views {

void LatestWork::request(Work work)
{
    if (m_running) {
        m_thread.request_stop();
        m_waiting = std::move(work);
    } else {
        start(std::move(work));
    }
}

void LatestWork::hand(const std::stop_token &stop, Finish part)
{
    QMetaObject::invokeMethod(
        this,
        [stop, part = std::move(part)] {
            if (!stop.stop_requested())
                part();
        },
        Qt::QueuedConnection);
}

void LatestWork::cancel()
{
    m_waiting.reset();
    m_thread.request_stop();
}

void LatestWork::start(Work work)
{
    m_running = true;
    emit busyChanged();
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token &stop) {
        Finish finished = work(stop);
        QMetaObject::invokeMethod(
            this, [this, finished = std::move(finished)] { finish(finished); }, Qt::QueuedConnection);
    });
}

void LatestWork::finish(const Finish &finish)
{
    m_running = false;
    // The stop may have been requested after the work was done; its result is then outdated, too.
    if (finish && !m_thread.get_stop_token().stop_requested())
        finish();
    if (m_running)
        return; // finish() has requested other work
    if (m_waiting)
        start(*std::exchange(m_waiting, std::nullopt));
    else
        emit busyChanged();
}

} // namespace cutaway::views
