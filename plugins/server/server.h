// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>

namespace cutaway::plugins {

struct Answer {
    protocol::Json result;
    std::string payload = {};
};

/// The parameters and the payload of a request, with its stop token.
struct Call {
    protocol::Json params;
    std::string payload;
    std::stop_token stop;
};

/// The plugin's side of the protocol. Requests are answered one by one on the thread that calls serve(), while another
/// thread reads the input, handles `cancel` and answers `ping`. Exceptions of a handler become failures.
class Server {
public:
    using Handler = std::function<Result<Answer>(Call)>;

    explicit Server(protocol::Initialize::Result about) : m_about(std::move(about)) { }

    void on(std::string_view method, Handler handler) { m_handlers.emplace(method, std::move(handler)); }
    /// Adds a method: answer(parameters, payload, stop) → Result<Answer>.
    template <class Method, class Function>
    void on(Function answer)
    {
        on(Method::method, [answer](Call call) -> Result<Answer> {
            auto params = protocol::parse<Method>(call.params);
            if (!params)
                return std::unexpected(Error{ErrorKind::Usage, params.error().message, {}});
            return answer(std::move(*params), std::move(call.payload), call.stop);
        });
    }

    /// Serves until `shutdown` or the end of the input. Returns the exit code: 1 if the input was malformed.
    int serve(int input, int output);

private:
    protocol::Response respond(const protocol::Request &request, std::stop_token stop) const;

    protocol::Initialize::Result m_about;
    std::map<std::string, Handler, std::less<>> m_handlers;
};

} // namespace cutaway::plugins
