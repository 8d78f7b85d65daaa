// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/facts/export_failure.h"

#include "core/sequence/limits.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cutaway::sequence {

namespace {

using Json = nlohmann::json;

std::string textIn(const Json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t countIn(const Json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

/// Returns the items that have the type `type` in the list `key` of an object; no items if there is no such list.
std::vector<Json> itemsIn(const Json &object, const char *key, Json::value_t type)
{
    const auto found = object.find(key);
    std::vector<Json> items;
    if (found != object.end() && found->is_array())
        std::ranges::copy_if(*found, std::back_inserter(items), [&](const Json &item) { return item.type() == type; });
    return items;
}

std::vector<std::string> textsIn(const Json &object, const char *key)
{
    std::vector<std::string> texts;
    for (const Json &item : itemsIn(object, key, Json::value_t::string))
        texts.push_back(item.get<std::string>());
    return texts;
}

std::optional<ProgramLine> placeIn(const Json &record)
{
    const auto found = record.find("place");
    if (found == record.end() || !found->is_object())
        return std::nullopt;
    return ProgramLine{.file = textIn(*found, "file"),
                       .function = textIn(*found, "function"),
                       .code = textIn(*found, "code"),
                       .line = countIn(*found, "line"),
                       .firstAround = countIn(*found, "first_around"),
                       .around = textsIn(*found, "around")};
}

/// Returns the attempts. Their graphs are the steps of the sequence, in the same order.
std::vector<ExportAttempt> attemptsIn(const Json &record, std::size_t steps)
{
    std::vector<ExportAttempt> attempts;
    std::size_t graphs = 0;
    for (const Json &item : itemsIn(record, "attempts", Json::value_t::object)) {
        ExportAttempt attempt{textIn(item, "how"), textIn(item, "outcome"), textIn(item, "message"), {}};
        if (const auto has = item.find("has_graph"); has != item.end() && *has == true && graphs < steps)
            attempt.step = graphs++;
        attempts.push_back(std::move(attempt));
    }
    return attempts;
}

} // namespace

std::optional<ExportFailure> exportFailureOf(const Sequence &sequence)
{
    const auto found = std::ranges::find(sequence.records, exportFailureRecord, &Record::name);
    if (found == sequence.records.end() || found->text.byteCount() > limits::maxJsonPayload)
        return std::nullopt;
    const Json record = Json::parse(found->text.text(), nullptr, false);
    if (!record.is_object())
        return std::nullopt;
    return ExportFailure{.model = textIn(record, "model"),
                         .reason = textIn(record, "reason"),
                         .place = placeIn(record),
                         .advice = textsIn(record, "advice"),
                         .attempts = attemptsIn(record, sequence.steps.size())};
}

} // namespace cutaway::sequence
