// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <thread>

namespace cutaway::views {

/// Does one piece of work at a time on a thread of its own. A newer one replaces a waiting one and stops the one that
/// runs, whose result is dropped. Destroying it stops the work and waits for the thread.
class LatestWork : public QObject {
    Q_OBJECT

public:
    /// What takes the result over, on the thread of this object; empty where there is none.
    using Finish = std::function<void()>;
    /// Called on the worker's thread: everything it uses must be its own.
    using Work = std::function<Finish(std::stop_token)>;

    using QObject::QObject;

    void request(Work work);
    void cancel();
    bool isBusy() const { return m_running; }

signals:
    void busyChanged();

private:
    void start(Work work);
    void finish(const Finish &finish);

    std::optional<Work> m_waiting;
    bool m_running = false;
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace cutaway::views
