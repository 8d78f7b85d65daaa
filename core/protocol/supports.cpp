// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/supports.h"

#include "core/ir/json/json_reader.h"

namespace cutaway::protocol {

namespace {

template <class T>
Result<T> unlessFailed(const ir::JsonReader &reader, T value)
{
    if (reader.failed())
        return std::unexpected(
            Error{ErrorKind::Backend, "wrote a message with a fault: " + reader.error()->text(), {}});
    return value;
}

Supports::Verdict readVerdict(ir::JsonReader &reader, const Json &json)
{
    Supports::Verdict verdict{{}, reader.text(json, "reason")};
    reader.member(json, "takes", [&](const Json &takes) {
        if (takes.is_boolean())
            verdict.takes = takes.get<bool>();
        else if (!takes.is_null())
            reader.fail(takes, "true, false or null");
    });
    return verdict;
}

} // namespace

template <>
Json print(const Supports &supports)
{
    return {{"form", supports.form}, {"device", supports.device}, {"lengths", supports.lengths}};
}
template <>
Result<Supports> parse(const Json &json)
{
    ir::JsonReader reader;
    Supports supports{reader.text(json, "form"), reader.text(json, "device")};
    reader.items(json, "lengths", [&](const Json &length) {
        if (length.is_number_unsigned())
            supports.lengths.push_back(length.get<std::uint64_t>());
        else
            reader.fail(length, "a number of bytes");
    });
    return unlessFailed(reader, std::move(supports));
}

template <>
Json print(const Supports::Result &result)
{
    Json verdicts = Json::array();
    for (const Supports::Verdict &verdict : result.verdicts)
        verdicts.push_back({{"takes", verdict.takes ? Json(*verdict.takes) : Json()}, {"reason", verdict.reason}});
    return {{"verdicts", std::move(verdicts)}};
}
template <>
Result<Supports::Result> parse(const Json &json)
{
    ir::JsonReader reader;
    Supports::Result result;
    reader.items(json, "verdicts",
                 [&](const Json &verdict) { result.verdicts.push_back(readVerdict(reader, verdict)); });
    return unlessFailed(reader, std::move(result));
}

Result<std::vector<std::string_view>> modelsOf(const Supports &request, std::string_view payload)
{
    std::vector<std::string_view> models;
    for (const std::uint64_t length : request.lengths) {
        if (length > payload.size())
            return usageError("the payload is shorter than its models");
        models.push_back(payload.substr(0, length));
        payload.remove_prefix(length);
    }
    return models;
}

} // namespace cutaway::protocol
