// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/provenance.h"

#include "core/sequence/limits.h"

#include <nlohmann/json.hpp>

namespace cutaway::sequence {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::vector<std::string> textsIn(const OrderedJson &list)
{
    std::vector<std::string> texts;
    if (list.is_array())
        for (const OrderedJson &item : list)
            if (item.is_string())
                texts.push_back(item.get<std::string>());
    return texts;
}

/// Calls visit(key, texts) for each member of an object of lists.
template <class Visit>
void forEachList(const OrderedJson &record, const char *key, Visit &&visit)
{
    const auto found = record.find(key);
    if (found != record.end() && found->is_object())
        for (const auto &[name, list] : found->items())
            visit(name, textsIn(list));
}

/// Parses a text as a JSON object; returns an empty one for other texts, and for texts that are too long.
OrderedJson objectIn(const Excerpt &text)
{
    if (text.byteCount() > limits::maxJsonPayload)
        return OrderedJson::object();
    OrderedJson json = OrderedJson::parse(text.text(), nullptr, false);
    return json.is_object() ? std::move(json) : OrderedJson::object();
}

} // namespace

RecordedOrigins readOrigins(const Excerpt &text)
{
    const OrderedJson json = objectIn(text);
    RecordedOrigins origins;
    for (const auto &[node, from] : json.items())
        origins[node] = textsIn(from);
    return origins;
}

Provenance readProvenance(const Record &record)
{
    Provenance provenance;
    const OrderedJson json = objectIn(record.text);
    forEachList(json, "postToPre", [&](const std::string &name, std::vector<std::string> from) {
        provenance.postToPre[name] = std::move(from);
    });
    forEachList(json, "cppCodeToPost", [&](const std::string &name, std::vector<std::string> nodes) {
        provenance.kernelToPost.emplace_back(name, std::move(nodes));
    });
    return provenance;
}

} // namespace cutaway::sequence
