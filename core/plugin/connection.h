// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/process.h"
#include "core/protocol/message.h"

#include <chrono>
#include <expected>
#include <stop_token>

namespace cutaway::plugin {

// Reasons why no message was received.
struct TimedOut { };
struct Stopped { };
/// The process has ended, or only closed its output (then `how` is empty). `cut`: whether that was within a message.
struct Ended {
    std::optional<Ending> how;
    std::optional<Error> cut;
};
/// The process wrote something that is not a message; the error is protocol::FrameReader's.
struct Malformed {
    Error error;
};
/// The process, or its launcher, asks for a password, which it cannot get.
struct PasswordAsked {
    std::string prompt;
};
using Interruption = std::variant<TimedOut, Stopped, Ended, Malformed, PasswordAsked>;

/// Exchanges messages with a process. All input and output happens in receive(), on its caller's thread.
class Connection {
public:
    explicit Connection(Process process) : m_process(std::move(process)) { }

    using Clock = std::chrono::steady_clock;

    void send(const protocol::Message &message) { m_outgoing += protocol::printFrame(protocol::printMessage(message)); }
    /// Sends the queued messages and waits for the next one.
    std::expected<protocol::Message, Interruption> receive(Clock::time_point deadline, const std::stop_token &stop);

    /// Returns the last kilobytes of the process's standard error.
    const std::string &errorOutput() const { return m_errorOutput; }
    Process &process() { return m_process; }
    const Process &process() const { return m_process; }

private:
    bool exchange(std::chrono::milliseconds limit);
    void feed();
    bool drainOutput();
    bool drainError();
    Ended end();

    Process m_process;
    protocol::FrameReader m_reader;
    std::string m_outgoing;
    std::size_t m_sent = 0; ///< the number of bytes of `m_outgoing` that were sent
    std::string m_errorOutput;
    bool m_hasOutput = true; ///< false after the end of the process's output
    bool m_hasError = true;
};

} // namespace cutaway::plugin
