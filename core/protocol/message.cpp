// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/message.h"

#include "core/base/formatted.h"
#include "core/base/limits.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/ir/json/json_reader.h"

#include <limits>

namespace cutaway::protocol {

namespace {

/// Whether the brackets outside of strings are nested too deep. Checked before parsing: printing and walking the JSON
/// recurse once per level.
bool isTooDeep(std::string_view json)
{
    int depth = 0;
    bool isText = false;
    for (std::size_t i = 0; i < json.size() && depth <= limits::maxNesting; ++i) {
        const char c = json[i];
        if (c == '"')
            isText = !isText;
        else if (isText)
            i += c == '\\' ? 1 : 0;
        else
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
    return depth > limits::maxNesting;
}

Json idJson(const std::optional<RequestId> &id) { return id ? Json(id->number) : Json(); }

Json headOf(const Message &message)
{
    return std::visit(
        Overloaded{[](const Request &request) {
                       return Json{{"id", request.id.number}, {"method", request.method}, {"params", request.params}};
                   },
                   [](const Notification &notification) {
                       return Json{{"method", notification.method}, {"params", notification.params}};
                   },
                   [](const Response &response) {
                       Json json{{"id", idJson(response.id)}};
                       if (const auto *failure = std::get_if<Failure>(&response.outcome))
                           json["error"] = {{"code", failure->code}, {"message", failure->message}};
                       else
                           json["result"] = std::get<Json>(response.outcome);
                       return json;
                   }},
        message);
}

Json paramsOf(const Json &json) { return json.value("params", Json::object()); }

std::optional<RequestId> readId(ir::JsonReader &reader, const Json &json)
{
    std::optional<RequestId> id;
    reader.member(json, "id", [&](const Json &number) {
        if (!number.is_null())
            id = RequestId{reader.integer(number)};
    });
    return id;
}

Response readResponse(ir::JsonReader &reader, const Json &json)
{
    Response response{readId(reader, json), Json()};
    reader.member(json, "error", [&](const Json &error) {
        // A code that does not fit an int is an unknown code.
        const std::int64_t code = reader.integer(error, "code").value_or(InternalError);
        const bool fits = code >= std::numeric_limits<int>::min() && code <= std::numeric_limits<int>::max();
        response.outcome = Failure{fits ? static_cast<int>(code) : InternalError, reader.text(error, "message")};
    });
    if (json.contains("result"))
        response.outcome = json["result"];
    return response;
}

Message readMessage(ir::JsonReader &reader, const Json &json)
{
    if (!json.contains("method"))
        return readResponse(reader, json);
    const std::string method = reader.text(json, "method");
    if (const auto id = readId(reader, json))
        return Request{*id, method, paramsOf(json)};
    return Notification{method, paramsOf(json)};
}

std::string beginning(std::string_view json)
{
    constexpr std::size_t shown = 80;
    return sanitized(json.substr(0, shown)) + (json.size() > shown ? "…" : "");
}

} // namespace

Frame printMessage(const Message &message)
{
    Json json = headOf(message);
    json["jsonrpc"] = "2.0";
    Frame frame{json.dump(-1, ' ', false, Json::error_handler_t::replace), {}};
    if (const auto *request = std::get_if<Request>(&message))
        frame.payload = request->payload;
    if (const auto *response = std::get_if<Response>(&message))
        frame.payload = response->payload;
    return frame;
}

Result<Message> parseMessage(Frame frame)
{
    if (isTooDeep(frame.json))
        return backendError(formatted("wrote a message that is nested more than {} deep", limits::maxNesting));
    const Json json = Json::parse(frame.json, nullptr, false);
    if (json.is_discarded())
        return backendError("wrote a message that is not JSON: '" + beginning(frame.json) + "'");
    const bool isMessage =
        json.is_object() && (json.contains("method") || json.contains("result") || json.contains("error"));
    if (!isMessage)
        return backendError("wrote a message that is neither request nor response: '" + beginning(frame.json) + "'");
    ir::JsonReader reader;
    Message message = readMessage(reader, json);
    if (reader.failed())
        return backendError("wrote a message with a fault: " + reader.error()->text());
    if (auto *request = std::get_if<Request>(&message))
        request->payload = std::move(frame.payload);
    if (auto *response = std::get_if<Response>(&message))
        response->payload = std::move(frame.payload);
    return message;
}

} // namespace cutaway::protocol
