// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/plugin/connection.h"
#include "core/plugin/target.h"
#include "core/protocol/methods.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace cutaway::plugin {

/// The timeouts of a session.
struct Patience {
    std::chrono::milliseconds start{15'000}; ///< the limit for the answer to `initialize`
    /// The limit for the answer to a request, unless answerLimit() has another one.
    std::chrono::milliseconds answer{120'000};
    std::chrono::milliseconds grace{2'000}; ///< the time from a cancellation to the kill
    std::chrono::milliseconds idle{10'000}; ///< idle time after which a ping checks the process
};

/// The limit for the answer to a request that needs no work.
inline constexpr std::chrono::milliseconds promptAnswer{15'000};

/// The environment variable with the seconds that a plugin may take for an answer.
inline constexpr const char *timeoutVariable = "CUTAWAY_PLUGIN_TIMEOUT";

struct Reply {
    protocol::Json result;
    std::string payload;
};

/// A plugin on a target. The first call starts its process, which then stays; after a crash or kill the next call
/// starts it again. Calls from several threads wait for each other.
class Session {
public:
    /// `readable`: folders that the sandbox lets the plugin read.
    explicit Session(Manifest plugin, Target target = {}, std::vector<std::filesystem::path> readable = {},
                     Patience patience = {});
    /// Asks the plugin to exit, and kills it if it does not.
    ~Session();

    /// Returns the limit for an answer: that of CUTAWAY_PLUGIN_TIMEOUT, of the target, of the manifest, or else
    /// `byDefault`.
    std::chrono::milliseconds answerLimit(std::chrono::milliseconds byDefault) const;

    /// Calls a method. `limit`: the time for the answer; by default answerLimit() of Patience::answer. Errors: Backend,
    /// a sentence on what happened to the plugin, also if the limit is over; Usage and Unreadable, if the plugin
    /// reports them; Cancelled, if stop was requested. A plugin that does not stop by itself then is killed.
    Result<Reply> call(std::string_view method, protocol::Json params, std::string payload = {}, const Task &task = {},
                       std::optional<std::chrono::milliseconds> limit = {});
    /// Calls one of the protocol's methods. Errors: as above.
    template <class Method>
        requires requires { Method::method; }
    Result<Reply> call(const Method &params, std::string payload = {}, const Task &task = {},
                       std::optional<std::chrono::milliseconds> limit = {})
    {
        return call(Method::method, protocol::print(params), std::move(payload), task, limit);
    }

    const Manifest &plugin() const { return m_plugin; }
    /// Returns the running process; nullopt if there is none.
    std::optional<pid_t> process() const;
    /// Returns the plugin's log since its last start.
    std::vector<std::string> log() const;

private:
    /// Errors: those of ask(); Backend: the program cannot be started, or speaks another version of the protocol.
    Result<void> start(const Task &task);
    void stopIfGone();
    void stop();
    /// Errors: as call().
    Result<Reply> ask(std::string_view method, protocol::Json params, std::string payload, const Task &task,
                      std::chrono::milliseconds limit);
    std::expected<protocol::Response, Interruption> awaitAnswer(protocol::RequestId id, const Task &task,
                                                                Connection::Clock::time_point deadline);
    void take(const protocol::Notification &notification, const Task &task);
    bool stopsWorking(protocol::RequestId id);

    Manifest m_plugin;
    Target m_target;
    std::vector<std::filesystem::path> m_readable;
    Patience m_patience;
    mutable std::mutex m_mutex;
    std::optional<Connection> m_connection;
    Connection::Clock::time_point m_lastMessage;
    std::int64_t m_requests = 0;
    std::vector<std::string> m_log;
};

} // namespace cutaway::plugin
