// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace cutaway::plugin {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t maxMessages = 8192;
constexpr auto pollInterval = 50ms; ///< maximum delay until a stop request is noticed
constexpr auto exitGrace = 1000ms;  ///< limit from the end of the output to the end of the process

bool isToComeAgain(int error) { return error == EAGAIN || error == EINTR; }

/// Returns the last line if it is a password prompt: "root@gpu1's password: ".
std::optional<std::string> passwordPrompt(std::string_view errorOutput)
{
    const std::string_view line = errorOutput.substr(errorOutput.find_last_of("\r\n") + 1);
    const std::size_t end = line.find_last_not_of(' ');
    const bool isPrompt =
        end != std::string_view::npos && line[end] == ':' && (line.contains("assword") || line.contains("assphrase"));
    return isPrompt ? std::optional(std::string(line.substr(0, end))) : std::nullopt;
}

} // namespace

std::expected<protocol::Message, Interruption> Connection::receive(Clock::time_point deadline,
                                                                   const std::stop_token &stop)
{
    for (;;) {
        auto frame = m_reader.next();
        if (!frame)
            return std::unexpected(Malformed{std::move(frame.error())});
        if (*frame) {
            auto message = protocol::parseMessage(std::move(**frame));
            if (!message)
                return std::unexpected(Malformed{std::move(message.error())});
            return std::move(*message);
        }
        if (!m_hasOutput)
            return std::unexpected(end());
        if (auto prompt = passwordPrompt(m_errorOutput))
            return std::unexpected(PasswordAsked{std::move(*prompt)});
        if (stop.stop_requested())
            return std::unexpected(Stopped{});
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (left <= 0ms)
            return std::unexpected(TimedOut{});
        // A child may keep the output open when the process has ended; wait() then kills the child.
        if (!exchange(std::min<std::chrono::milliseconds>(left, pollInterval)) && m_process.wait(0ms))
            m_hasOutput = false;
    }
}

/// Sends and receives without blocking beyond `limit`; false if nothing was transferred.
bool Connection::exchange(std::chrono::milliseconds limit)
{
    // poll() ignores negative descriptors: those without work.
    const bool hasInput = m_process.input() >= 0 && m_sent < m_outgoing.size();
    std::array<pollfd, 3> ends{{{hasInput ? m_process.input() : -1, POLLOUT, 0},
                                {m_hasOutput ? m_process.output() : -1, POLLIN, 0},
                                {m_hasError ? m_process.error() : -1, POLLIN, 0}}};
    const int ready = ::poll(ends.data(), ends.size(), static_cast<int>(limit.count()));
    if (ends[0].revents != 0)
        feed();
    if (ends[1].revents != 0)
        m_hasOutput = drainOutput();
    if (ends[2].revents != 0)
        m_hasError = drainError();
    return ready > 0;
}

void Connection::feed()
{
    const ssize_t n = ::write(m_process.input(), m_outgoing.data() + m_sent, m_outgoing.size() - m_sent);
    if (n > 0)
        m_sent += static_cast<std::size_t>(n);
    else if (!isToComeAgain(errno))
        m_process.closeInput(); // the process reads no more, and the end of its output explains that better
    if (m_sent == m_outgoing.size() || m_process.input() < 0) {
        m_outgoing = {};
        m_sent = 0;
    }
}

/// The two functions below read what the process has written; false at the end of the stream.
bool Connection::drainOutput()
{
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(m_process.output(), buffer.data(), buffer.size());
    if (n > 0)
        m_reader.append({buffer.data(), static_cast<std::size_t>(n)});
    return n > 0 || (n < 0 && isToComeAgain(errno));
}

bool Connection::drainError()
{
    std::array<char, 4096> buffer;
    const ssize_t n = ::read(m_process.error(), buffer.data(), buffer.size());
    if (n > 0)
        m_errorOutput.append(buffer.data(), static_cast<std::size_t>(n));
    if (m_errorOutput.size() > maxMessages)
        m_errorOutput.erase(0, m_errorOutput.size() - maxMessages);
    return n > 0 || (n < 0 && isToComeAgain(errno));
}

Ended Connection::end()
{
    Ended ended;
    ended.how = m_process.wait(exitGrace);
    m_process.kill();
    for (int i = 0; i < 100 && m_hasError; ++i) // output of the process itself; its children may still be writing
        exchange(1ms);
    if (const auto finished = m_reader.finish(); !finished)
        ended.cut = finished.error();
    return ended;
}

} // namespace cutaway::plugin
