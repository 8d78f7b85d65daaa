// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <thread>

namespace cutaway::views {

/// Runs one task at a time on a thread of its own. A newer task replaces a waiting one and stops the running one, whose
/// result is dropped. Destroying this object stops the work and waits for the thread.
class LatestWork : public QObject {
    Q_OBJECT

public:
    /// Takes over the result of a task, on the thread of this object; empty if there is no result.
    using Finish = std::function<void()>;
    /// A task, called on the worker's thread, so it must own all it uses. It returns what takes over its result.
    using Work = std::function<Finish(std::stop_token)>;

    using QObject::QObject;

    void request(Work work);
    /// Hands over a part of a task's result before the task is done. The task calls it with its own stop token; the
    /// part is dropped if the task was stopped.
    void hand(const std::stop_token &stop, Finish part);
    void cancel();
    bool isBusy() const { return m_running; }

signals:
    void busyChanged();

private:
    void start(Work work);
    void finish(const Finish &finish);

    std::optional<Work> m_waiting;
    bool m_running = false;
    std::jthread m_thread; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
