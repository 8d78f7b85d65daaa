// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/packing.h"

#include "core/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cutaway::print {

namespace {

using Json = nlohmann::json;

constexpr int maxPackingDepth = 32;

constexpr std::pair<std::string_view, Packing::Kind> packingKinds[] = {{"builtins.NoneType", Packing::Kind::None},
                                                                       {"builtins.tuple", Packing::Kind::Tuple},
                                                                       {"builtins.list", Packing::Kind::List},
                                                                       {"builtins.dict", Packing::Kind::Dict}};

std::string pythonLiteral(const Json &value)
{
    if (value.is_string())
        return quote(value.get<std::string>());
    return value.is_number_integer() ? std::to_string(value.get<std::int64_t>()) : "";
}

/// Returns the packing that a spec describes; nothing for classes of other packages and for malformed text.
std::optional<Packing> packingOf(const Json &spec, int depth = 0)
{
    if (!spec.is_object() || !spec.contains("type") || depth > maxPackingDepth)
        return std::nullopt;
    Packing packing;
    const Json &type = spec["type"];
    if (type.is_null())
        return packing;
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    const Json children = spec.value("children_spec", Json::array());
    for (const Json &child : children) {
        auto item = packingOf(child, depth + 1);
        if (!item)
            return std::nullopt;
        packing.items.push_back(*std::move(item));
    }
    const auto *kind = std::ranges::find(packingKinds, name, &std::pair<std::string_view, Packing::Kind>::first);
    if (kind == std::end(packingKinds))
        return std::nullopt;
    packing.kind = kind->second;
    if (packing.kind != Packing::Kind::Dict)
        return packing;
    const Json context = spec.value("context", Json());
    const Json keys = context.is_string() ? Json::parse(context.get<std::string>(), nullptr, false) : context;
    if (!keys.is_array() || keys.size() != packing.items.size())
        return std::nullopt;
    for (const Json &key : keys)
        packing.keys.push_back(pythonLiteral(key));
    return std::ranges::contains(packing.keys, "") ? std::nullopt : std::optional(packing);
}

} // namespace

std::optional<Packing> recordedPacking(const ir::Model &model, std::string_view key)
{
    const auto entry = std::ranges::find(model.metadata, key, [](const auto &pair) { return pair.first; });
    if (entry == model.metadata.end())
        return std::nullopt;
    const Json spec = Json::parse(entry->second, nullptr, false);
    const bool isVersioned = spec.is_array() && spec.size() == 2; // torch writes the version before the description
    return isVersioned ? packingOf(spec[1]) : std::nullopt;
}

std::string packingText(const Packing &packing)
{
    std::vector<std::string> items;
    for (std::size_t i = 0; i < packing.items.size(); ++i)
        items.push_back((packing.keys.empty() ? "" : packing.keys[i] + ": ") + packingText(packing.items[i]));
    switch (packing.kind) {
    case Packing::Kind::Leaf:
        break;
    case Packing::Kind::None:
        return "None";
    case Packing::Kind::Tuple:
        return "(" + joined(items, ", ") + (items.size() == 1 ? ",)" : ")");
    case Packing::Kind::List:
        return "[" + joined(items, ", ") + "]";
    case Packing::Kind::Dict:
        return "{" + joined(items, ", ") + "}";
    }
    return "*";
}

} // namespace cutaway::print
