// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/server.h"

#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace cutaway::plugins {

namespace {

using protocol::Cancel;
using protocol::Failure;
using protocol::Json;
using protocol::Message;
using protocol::Notification;
using protocol::Ping;
using protocol::Request;
using protocol::Response;
using protocol::Shutdown;

int failureCode(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return protocol::InvalidParams;
    case ErrorKind::Unreadable:
        return protocol::UnreadableFile;
    case ErrorKind::Cancelled:
        return protocol::RequestCancelled;
    case ErrorKind::Backend:
        break;
    }
    return protocol::InternalError;
}

/// Writes messages of several threads, each message as a whole.
class Writer {
public:
    explicit Writer(int output) : m_output(output) { }

    void write(const Message &message)
    {
        const std::string bytes = protocol::printFrame(protocol::printMessage(message));
        const std::scoped_lock lock(m_mutex);
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t n = ::write(m_output, bytes.data() + done, bytes.size() - done);
            if (n < 0 && errno != EINTR)
                return; // the client has ended, and the end of the input will follow
            done += n > 0 ? static_cast<std::size_t>(n) : 0;
        }
    }

private:
    int m_output;
    std::mutex m_mutex;
};

struct Waiting {
    Request request;
    std::stop_source stop = {};
};

/// Receives requests on its own thread, so that a request can be cancelled while another one runs.
class Inbox {
public:
    explicit Inbox(Writer &writer) : m_writer(writer) { }

    /// Returns the next request; nothing at the end of the input.
    std::optional<Waiting> next()
    {
        std::unique_lock lock(m_mutex);
        m_working.reset();
        m_changed.wait(lock, [this] { return !m_requests.empty() || m_atEnd; });
        if (m_requests.empty())
            return std::nullopt;
        m_working = std::move(m_requests.front());
        m_requests.pop_front();
        return m_working;
    }

    /// Reads until the end of the input or a malformed message.
    void listen(int input)
    {
        protocol::FrameReader frames;
        std::array<char, 1 << 16> bytes{};
        while (takeAll(frames)) {
            const ssize_t n = ::read(input, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                break;
            frames.append({bytes.data(), static_cast<std::size_t>(n)});
        }
        const std::scoped_lock lock(m_mutex);
        m_atEnd = true;
        m_changed.notify_one();
    }

    bool hasFailed()
    {
        const std::scoped_lock lock(m_mutex);
        return m_hasFailed;
    }

private:
    /// Takes all complete messages. Returns whether more input may follow.
    bool takeAll(protocol::FrameReader &frames)
    {
        for (;;) {
            auto frame = frames.next();
            if (frame && !*frame)
                return true;
            auto message = frame ? protocol::parseMessage(std::move(**frame)) : std::unexpected(frame.error());
            if (!message) {
                const std::scoped_lock lock(m_mutex);
                m_hasFailed = true;
                return false;
            }
            std::visit([this](auto &each) { take(std::move(each)); }, *message);
        }
    }

    void take(Request request)
    {
        if (request.method == Ping::method)
            return m_writer.write(Response{request.id, protocol::print(Ping::Result()), {}});
        const std::scoped_lock lock(m_mutex);
        m_requests.push_back({std::move(request)});
        m_changed.notify_one();
    }

    void take(const Notification &notification)
    {
        const auto cancel = protocol::parse<Cancel>(notification.params);
        if (notification.method != Cancel::method || !cancel)
            return;
        const std::scoped_lock lock(m_mutex);
        if (m_working && m_working->request.id == cancel->id)
            m_working->stop.request_stop();
        for (Waiting &waiting : m_requests)
            if (waiting.request.id == cancel->id)
                waiting.stop.request_stop();
    }

    void take(const Response &) { } // ignored, as this side sends no requests

    Writer &m_writer;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Waiting> m_requests;
    std::optional<Waiting> m_working;
    bool m_hasFailed = false;
    bool m_atEnd = false;
};

/// Waits until the client has ended, so that nothing reads the answers any more, and ends the program. On a remote
/// machine nothing else ends it when the connection is lost.
[[noreturn]] void endWithReader(int output)
{
    pollfd end{output, 0, 0};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) { }
    _exit(1);
}

struct Wire {
    explicit Wire(int output) : writer(output), inbox(writer) { }
    Writer writer;
    Inbox inbox;
};

} // namespace

int Server::serve(int input, int output)
{
    // The reading thread may wait for input for ever, and ends with the program.
    const auto wire = std::make_shared<Wire>(output);
    std::thread([wire, input, output] {
        wire->inbox.listen(input);
        endWithReader(output);
    }).detach();
    while (auto waiting = wire->inbox.next()) {
        wire->writer.write(respond(waiting->request, waiting->stop.get_token()));
        if (waiting->request.method == Shutdown::method)
            return 0;
    }
    return wire->inbox.hasFailed() ? 1 : 0;
}

Response Server::respond(const Request &request, std::stop_token stop) const
try {
    const auto handler = m_handlers.find(request.method);
    if (request.method == protocol::Initialize::method)
        return {request.id, protocol::print(m_about), {}};
    if (request.method == Shutdown::method)
        return {request.id, protocol::print(Shutdown::Result()), {}};
    if (handler == m_handlers.end())
        return {request.id, Failure{protocol::MethodNotFound, "unknown method '" + request.method + "'"}, {}};
    auto answer = handler->second({request.params, request.payload, std::move(stop)});
    if (!answer)
        return {request.id, Failure{failureCode(answer.error().kind), answer.error().text()}, {}};
    return {request.id, std::move(answer->result), std::move(answer->payload)};
} catch (const std::exception &fault) {
    const std::string what = fault.what(); // exceptions of torch and of devices have a backtrace in further lines
    return {request.id, Failure{protocol::InternalError, what.substr(0, what.find('\n'))}, {}};
}

} // namespace cutaway::plugins
