// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/plugin/connection.h"
#include "core/plugin/target.h"
#include "core/protocol/methods.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

namespace cutaway::plugin {

/// How long a session waits for what.
struct Patience {
    std::chrono::milliseconds start{15'000};   ///< for the answer to `initialize`
    std::chrono::milliseconds answer{600'000}; ///< of a request, where the caller says nothing else
    std::chrono::milliseconds grace{2'000};    ///< from the request to stop until it is killed
    std::chrono::milliseconds idle{10'000};    ///< after which it is asked whether it is there
};

struct Reply {
    protocol::Json result;
    std::string payload;
};

/// A plugin on a target. It is started by the first call and stays, once it has crashed or was killed it is started
/// again by the next. One call at a time; calls from several threads wait for each other.
class Session {
public:
    /// `readable`: folders of files that the plugin is to work on, for the sandbox.
    explicit Session(Manifest plugin, Target target = {}, std::vector<std::filesystem::path> readable = {},
                     Patience patience = {});
    /// Asks it to end, and kills it if it does not.
    ~Session();

    /// Errors: Backend, a sentence about what became of the plugin; Usage, Unreadable, as the plugin says; Cancelled:
    /// the stop token asked, or `limit` is over, the plugin was asked to stop, and was killed if it did not.
    Result<Reply> call(std::string_view method, protocol::Json params, std::string payload = {}, const Task &task = {},
                       std::optional<std::chrono::milliseconds> limit = {});
    /// The same of one of the protocol's methods.
    template <class Method>
        requires requires { Method::method; }
    Result<Reply> call(const Method &params, std::string payload = {}, const Task &task = {},
                       std::optional<std::chrono::milliseconds> limit = {})
    {
        return call(Method::method, protocol::print(params), std::move(payload), task, limit);
    }

    const Manifest &plugin() const { return m_plugin; }
    /// The process, if it is there now.
    std::optional<pid_t> process() const;
    /// What the plugin has logged since its last start.
    std::vector<std::string> log() const;

private:
    Result<void> start(const Task &task);
    void stopIfGone();
    void stop();
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
    Connection::Clock::time_point m_lastHeard;
    std::int64_t m_requests = 0;
    std::vector<std::string> m_log;
};

} // namespace cutaway::plugin
