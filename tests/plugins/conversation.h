// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/protocol/backend.h"

#include <gtest/gtest.h>
#include <map>

namespace cutaway::protocol {

/// The exchange with a plugin from its start to its end.
class Conversation {
public:
    explicit Conversation(std::vector<std::string> command) : m_command(std::move(command)) { }

    template <class Method>
    RequestId ask(const Method &method, const std::string &payload = {})
    {
        return request(std::string(Method::method), print(method), payload);
    }
    RequestId request(const std::string &method, const Json &params, const std::string &payload = {})
    {
        const RequestId id{++m_requests};
        m_said += printFrame(printMessage(Request{id, method, params, payload}));
        return id;
    }

    void cancel(RequestId id) { m_said += printFrame(printMessage(Notification{"cancel", print(Cancel{id})})); }

    void hold()
    {
        const auto output = runProcess(m_command, m_said, std::chrono::seconds(60));
        ASSERT_TRUE(output) << output.error().text();
        ASSERT_FALSE(output->timedOut);
        EXPECT_EQ(output->exitCode, 0);
        m_log = output->standardError;
        FrameReader frames;
        frames.append(output->standardOutput);
        for (auto frame = frames.next(); frame && *frame; frame = frames.next()) {
            const auto message = parseMessage(std::move(**frame));
            ASSERT_TRUE(message) << message.error().text();
            const auto &response = std::get<Response>(*message);
            m_answers[response.id.value()] = response;
        }
        EXPECT_TRUE(frames.finish());
    }

    const Response &answer(RequestId id) { return m_answers[id]; }
    template <class Method>
    typename Method::Result result(RequestId id)
    {
        const auto *json = std::get_if<Json>(&answer(id).outcome);
        EXPECT_NE(json, nullptr) << failure(id).message;
        const auto result = json ? parse<typename Method::Result>(*json) : std::unexpected(Error());
        EXPECT_TRUE(result) << result.error().text();
        return result ? *result : typename Method::Result();
    }
    /// Returns the output of the plugin apart from its messages.
    const std::string &log() const { return m_log; }
    Failure failure(RequestId id)
    {
        const auto *failure = std::get_if<Failure>(&answer(id).outcome);
        return failure ? *failure : Failure{0, "none"};
    }

private:
    std::vector<std::string> m_command;
    std::string m_said, m_log;
    std::int64_t m_requests = 0;
    std::map<RequestId, Response> m_answers;
};

} // namespace cutaway::protocol
