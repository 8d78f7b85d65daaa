// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/record.h"
#include "core/survey/request.h"

#include <nlohmann/json.hpp>

/// Converts an optional to JSON, where null stands for nothing.
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
    // NOLINTNEXTLINE(readability-identifier-naming): what the library calls
    static void to_json(nlohmann::json &json, const std::optional<T> &value)
    {
        json = value ? nlohmann::json(*value) : nlohmann::json();
    }
    // NOLINTNEXTLINE(readability-identifier-naming): what the library calls
    static void from_json(const nlohmann::json &json, std::optional<T> &value)
    {
        value = json.is_null() ? std::nullopt : std::optional(json.get<T>());
    }
};

namespace cutaway::survey {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look, checks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, backend, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NodeQuery, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OperatorUse, dialect, name, overload, count, flops, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModuleUse, path, className, parameters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FunctionUse, name, nodes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SymbolUse, name, min, max)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpsetUse, domain, version)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Findings, severity, code, message, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure, value, formula, atLeast)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Costs, flops, otherFlops, peakBytes, flopsUnknown, shapesUnknown, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CheckAnswer, check, passed, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NodesFound, found, notKnown)
NLOHMANN_JSON_SERIALIZE_ENUM(State,
                             {{State::Unreadable, "unreadable"},
                              {State::Read, "read"},
                              {State::Crashed, "crashed"},
                              {State::TimedOut, "timed out"},
                              {State::OutOfMemory, "out of memory"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Measurement::State,
                             {{Measurement::State::Absent, "absent"},
                              {Measurement::State::Measured, "measured"},
                              {Measurement::State::Refused, "refused"},
                              {Measurement::State::TimedOut, "timed out"},
                              {Measurement::State::Crashed, "crashed"},
                              {Measurement::State::Lost, "lost"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, machine, backend, request, processor, state, message, seconds, p5, p95,
                                   runs, peakBytes, predicted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Record, state, message, graph, format, formatVersion, producer, producerVersion,
                                   inputs, outputs, nodes, parameters, weightBytes, opsets, functions, operators,
                                   calledOperators, modules, symbols, findings, costs, checks, nodesFound, measurement,
                                   seconds, memory, bytesRead)

namespace {

std::string_view keyOf(const Look &) { return "look"; }
std::string_view keyOf(const Profile &) { return "profile"; }
std::string_view keyOf(const NodeQuery &) { return "query"; }

template <class T>
bool take(const Json &json, Request &request)
{
    const auto found = json.find(keyOf(T()));
    if (found == json.end())
        return false;
    request.asked = found->template get<T>();
    return true;
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): what the library calls
static void to_json(Json &json, const Request &request)
{
    json = {{"bindings", request.bindings},
            {"inputs", request.inputs},
            {"device", request.device},
            {"limit", request.limit}};
    std::visit([&](const auto &asked) { json[keyOf(asked)] = asked; }, request.asked);
}

// NOLINTNEXTLINE(readability-identifier-naming): what the library calls
static void from_json(const Json &json, Request &request)
{
    json.at("bindings").get_to(request.bindings);
    json.at("inputs").get_to(request.inputs);
    json.at("device").get_to(request.device);
    json.at("limit").get_to(request.limit);
    if (!take<Look>(json, request) && !take<Profile>(json, request) && !take<NodeQuery>(json, request))
        // This throws, as all of these members are missing.
        json.at("look");
}

namespace {

std::string line(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class T>
Result<T> parsed(std::string_view line)
try {
    return Json::parse(line).get<T>();
} catch (const Json::exception &fault) {
    return unreadable(std::string("it is not what a survey says: ") + fault.what());
}

} // namespace

std::string print(const Record &record) { return line(record); }
Result<Record> parseRecord(std::string_view line) { return parsed<Record>(line); }
std::string print(const Request &request) { return line(request); }
Result<Request> parseRequest(std::string_view line) { return parsed<Request>(line); }

} // namespace cutaway::survey
