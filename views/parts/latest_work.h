// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <thread>

namespace cutaway::views {

/// Runs one task at a time on a thread of its own. A newer task replaces a waiting one and stops the running one, whose
/// result is dropped. Destroying it stops the work and waits for the thread.
class LatestWork : public QObject {
    Q_OBJECT

public:
    /// Takes the result over, on the thread of this object; empty if there is no result.
    using Finish = std::function<void()>;
    /// Called on the worker's thread: it must own everything it uses.
    using Work = std::function<Finish(std::stop_token)>;

    using QObject::QObject;

    void request(Work work);
    /// Takes over a part of the result before the rest is there. A task calls it, with its stop token: a part of a
    /// stopped task is dropped.
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
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace cutaway::views
