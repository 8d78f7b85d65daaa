// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/work.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <nanobind/nanobind.h>
#include <thread>

namespace cutaway::python {

namespace {

constexpr std::chrono::milliseconds betweenSignalChecks{50};

class WorkThread {
public:
    explicit WorkThread(const std::function<void(const Task &)> &work)
        : m_thread([this, &work](const std::stop_token &stop) { run(work, stop); })
    {
    }

    bool hasEndedWithin(std::chrono::milliseconds limit)
    {
        std::unique_lock lock(m_mutex);
        return m_end.wait_for(lock, limit, [&] { return m_hasEnded; });
    }

    void requestStop() { m_thread.request_stop(); }
    /// Waits until the thread has ended, and returns the exception that ended it; null if there was none.
    std::exception_ptr failure()
    {
        m_thread.join();
        return m_failure;
    }

private:
    void run(const std::function<void(const Task &)> &work, const std::stop_token &stop)
    {
        try {
            work(Task{stop, {}});
        } catch (...) {
            m_failure = std::current_exception();
        }
        const std::scoped_lock lock(m_mutex);
        m_hasEnded = true;
        m_end.notify_one();
    }

    std::mutex m_mutex;
    std::condition_variable m_end;
    bool m_hasEnded = false;
    std::exception_ptr m_failure;
    std::jthread m_thread; ///< declared last, so that it ends before what it uses
};

} // namespace

void runInterruptibly(const std::function<void(const Task &)> &work)
{
    std::optional<nanobind::python_error> interrupt;
    std::exception_ptr failure;
    {
        const nanobind::gil_scoped_release release;
        WorkThread thread(work);
        while (!thread.hasEndedWithin(betweenSignalChecks)) {
            // Python calls its signal handlers only on the main thread, and only while that holds the lock.
            const nanobind::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) {
                interrupt.emplace();
                thread.requestStop();
                break;
            }
        }
        failure = thread.failure();
    }
    if (interrupt)
        throw nanobind::python_error(std::move(*interrupt));
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace cutaway::python
