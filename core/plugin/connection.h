// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/process.h"
#include "core/protocol/message.h"

#include <chrono>
#include <expected>
#include <stop_token>

namespace cutaway::plugin {

// Why no message came.
struct TimedOut { };
struct Stopped { };
/// It has ended, or closed its output (nothing in `how`); `cut` if it did so within a message.
struct Ended {
    std::optional<Ending> how;
    std::optional<Error> cut;
};
/// It wrote what is no message; told as protocol::FrameReader does.
struct Malformed {
    Error error;
};
/// It, or what launches it, wants a password of somebody who is not there.
struct PasswordAsked {
    std::string prompt;
};
using Interruption = std::variant<TimedOut, Stopped, Ended, Malformed, PasswordAsked>;

/// Messages to and from a process. All work is done in receive(), on its caller's thread.
class Connection {
public:
    explicit Connection(Process process) : m_process(std::move(process)) { }

    using Clock = std::chrono::steady_clock;

    void send(const protocol::Message &message) { m_outgoing += protocol::printFrame(protocol::printMessage(message)); }
    /// Sends what is to be sent and waits for the next message.
    std::expected<protocol::Message, Interruption> receive(Clock::time_point deadline, const std::stop_token &stop);

    /// The end of what it wrote to its standard error, some kilobytes.
    const std::string &said() const { return m_said; }
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
    std::size_t m_sent = 0; ///< of `m_outgoing`
    std::string m_said;
    bool m_hasOutput = true; ///< until its end
    bool m_hasError = true;
};

} // namespace cutaway::plugin
