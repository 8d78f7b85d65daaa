// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/frame.h"

#include <compare>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

namespace cutaway::protocol {

using Json = nlohmann::json;

struct RequestId {
    std::int64_t number = 0;
    auto operator<=>(const RequestId &) const = default;
};

/// A request, answered by a Response of the same id.
struct Request {
    RequestId id;
    std::string method;
    Json params;
    std::string payload = {};
    bool operator==(const Request &) const = default;
};

/// A message that gets no answer.
struct Notification {
    std::string method;
    Json params;
    bool operator==(const Notification &) const = default;
};

/// Error codes: negative ones of JSON-RPC and of the Language Server Protocol, and positive ones of Cutaway's own.
enum FailureCode {
    NotJson = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602, ///< the request is wrong: an option, a name
    InternalError = -32603,
    RequestCancelled = -32800,
    UnreadableFile = 1, ///< a file is missing, damaged or of another kind
};

struct Failure {
    int code = InternalError;
    std::string message;
    bool operator==(const Failure &) const = default;
};

struct Response {
    std::optional<RequestId> id; ///< nullopt in an answer to a request that could not be read
    std::variant<Json, Failure> outcome;
    std::string payload = {};
    bool operator==(const Response &) const = default;
};

/// A JSON-RPC 2.0 message; batches are not supported.
using Message = std::variant<Request, Notification, Response>;

Frame printMessage(const Message &message);

/// Parses a frame. Errors (Backend), worded as those of FrameReader: not JSON, nested too deep, not a message.
Result<Message> parseMessage(Frame frame);

} // namespace cutaway::protocol
