// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace cutaway::cli {

namespace {

std::atomic<bool> isInterrupted = false;

void noteInterruption(int signal)
{
    isInterrupted = true;
    std::signal(signal, SIG_DFL);
}

} // namespace

Interruption::Interruption()
{
    isInterrupted = false;
    for (const int number : {SIGINT, SIGTERM})
        std::signal(number, noteInterruption);
    m_watch = std::jthread([this](const std::stop_token &end) { watch(end); });
}

Interruption::~Interruption()
{
    for (const int number : {SIGINT, SIGTERM})
        std::signal(number, SIG_DFL);
}

/// Turns the flag that the signal handler sets into a request to stop, since a handler can do no more than set a flag.
void Interruption::watch(const std::stop_token &end)
{
    constexpr std::chrono::milliseconds pause{20};
    for (; !end.stop_requested() && !m_stop.stop_requested(); std::this_thread::sleep_for(pause))
        if (isInterrupted)
            m_stop.request_stop();
}

} // namespace cutaway::cli
