// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/session.h"

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/plugin/failure.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::plugin {

namespace {

using namespace std::chrono_literals;
using Clock = Connection::Clock;
using protocol::RequestId;

constexpr auto heartbeat = 5'000ms;     ///< limit for the answer to a ping
constexpr auto lastAnswer = 1'000ms;    ///< the limit from the shutdown request to the kill
constexpr std::size_t maxLogged = 1000; ///< limit of the messages of the log that are kept

std::optional<std::chrono::milliseconds> userLimit()
{
    const char *text = std::getenv(timeoutVariable);
    char *end = nullptr;
    const double seconds = text ? std::strtod(text, &end) : 0;
    constexpr double year = 365.0 * 24 * 3600;
    if (!text || *end != '\0' || !(seconds > 0) || seconds > year)
        return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

} // namespace

Session::Session(Manifest plugin, Target target, std::vector<std::filesystem::path> readable, Patience patience)
    : m_plugin(std::move(plugin)),
      m_target(std::move(target)),
      m_readable(std::move(readable)),
      m_patience(patience)
{
}

Session::~Session() { stop(); }

Result<Reply> Session::call(std::string_view method, protocol::Json params, std::string payload, const Task &task,
                            std::optional<std::chrono::milliseconds> limit)
{
    const std::scoped_lock lock(m_mutex);
    stopIfGone();
    if (!m_connection)
        CUTAWAY_RETURN_IF_ERROR(start(task));
    return ask(method, std::move(params), std::move(payload), task, limit.value_or(answerLimit(m_patience.answer)));
}

std::chrono::milliseconds Session::answerLimit(std::chrono::milliseconds byDefault) const
{
    if (const auto limit = userLimit())
        return *limit;
    const auto limit = m_target.answerLimit ? m_target.answerLimit : m_plugin.answerLimit;
    return limit ? *limit : byDefault;
}

Result<void> Session::start(const Task &task)
{
    m_log.clear();
    const auto command = launchCommand(m_plugin, m_target, m_readable);
    auto process = Process::start(command, m_target.isHere() ? m_plugin.folder : "", m_plugin.limits);
    if (!process)
        return std::unexpected(
            startFailure(process.error().text(), {m_plugin.name, m_target.name, protocol::Initialize::method}));
    m_connection.emplace(std::move(*process));
    auto reply = ask(protocol::Initialize::method,
                     protocol::print(protocol::Initialize{protocol::version, "cutaway", m_plugin.settings}), {}, task,
                     m_patience.start);
    Result<protocol::Initialize::Result> answer;
    if (reply)
        answer = protocol::parse<protocol::Initialize::Result>(reply->result);
    else
        answer = std::unexpected(std::move(reply.error()));
    if (answer && answer->protocol != protocol::version)
        answer = std::unexpected(wrongVersion(answer->protocol, {m_plugin.name, m_target.name}));
    if (answer)
        return {};
    m_connection.reset();
    return std::unexpected(std::move(answer.error()));
}

/// Drops the connection if the process has ended or, after being idle for a while, does not answer a ping.
void Session::stopIfGone()
{
    if (m_connection && m_connection->process().wait(0ms))
        m_connection.reset();
    if (m_connection && Clock::now() - m_lastMessage > m_patience.idle
        && !ask(protocol::Ping::method, protocol::Json::object(), {}, {}, heartbeat))
        m_connection.reset();
}

void Session::stop()
{
    if (!m_connection)
        return;
    const RequestId id{++m_requests};
    m_connection->send(protocol::Request{id, std::string(protocol::Shutdown::method), protocol::Json::object()});
    if (awaitAnswer(id, {}, Clock::now() + lastAnswer)) {
        m_connection->process().closeInput();
        m_connection->process().wait(lastAnswer);
    }
    m_connection.reset();
}

Result<Reply> Session::ask(std::string_view method, protocol::Json params, std::string payload, const Task &task,
                           std::chrono::milliseconds limit)
{
    const RequestId id{++m_requests};
    m_connection->send(protocol::Request{id, std::string(method), std::move(params), std::move(payload)});
    auto response = awaitAnswer(id, task, Clock::now() + limit);
    const auto circumstances = [&]() -> Circumstances {
        return {m_plugin.name, m_target.name, method, limit, m_plugin.limits, m_connection->errorOutput()};
    };
    if (!response) {
        const Error error = failureOf(response.error(), circumstances());
        const bool isWaiting =
            std::holds_alternative<TimedOut>(response.error()) || std::holds_alternative<Stopped>(response.error());
        if (!isWaiting || !stopsWorking(id))
            m_connection.reset();
        return std::unexpected(error);
    }
    if (const auto *failure = std::get_if<protocol::Failure>(&response->outcome))
        return std::unexpected(failureOf(*failure, circumstances()));
    return Reply{std::get<protocol::Json>(std::move(response->outcome)), std::move(response->payload)};
}

/// Waits for the answer to a request. A response without an id belongs to this request, as there is only one.
std::expected<protocol::Response, Interruption> Session::awaitAnswer(RequestId id, const Task &task,
                                                                     Clock::time_point deadline)
{
    for (;;) {
        CUTAWAY_TRY(auto message, m_connection->receive(deadline, task.stop));
        m_lastMessage = Clock::now();
        if (auto *response = std::get_if<protocol::Response>(&message); response && response->id.value_or(id) == id)
            return std::move(*response);
        if (const auto *notification = std::get_if<protocol::Notification>(&message))
            take(*notification, task);
        if (const auto *request = std::get_if<protocol::Request>(&message))
            m_connection->send(protocol::Response{
                request->id, protocol::Failure{protocol::MethodNotFound, "Cutaway answers no requests"}});
    }
}

void Session::take(const protocol::Notification &notification, const Task &task)
{
    if (notification.method == protocol::Progress::method) {
        if (const auto progress = protocol::parse<protocol::Progress>(notification.params))
            task.report(progress->what, progress->done, progress->total);
    } else if (notification.method == protocol::Log::method && m_log.size() < maxLogged) {
        if (const auto log = protocol::parse<protocol::Log>(notification.params))
            m_log.push_back(sanitized(log->message));
    }
}

/// Cancels a request. Returns whether the plugin answers in time and can be used further.
bool Session::stopsWorking(RequestId id)
{
    m_connection->send(
        protocol::Notification{std::string(protocol::Cancel::method), protocol::print(protocol::Cancel{id})});
    return awaitAnswer(id, {}, Clock::now() + m_patience.grace).has_value();
}

std::optional<pid_t> Session::process() const
{
    const std::scoped_lock lock(m_mutex);
    return m_connection ? std::optional(m_connection->process().id()) : std::nullopt;
}

std::vector<std::string> Session::log() const
{
    const std::scoped_lock lock(m_mutex);
    return m_log;
}

} // namespace cutaway::plugin
