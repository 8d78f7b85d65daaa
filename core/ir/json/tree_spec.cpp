// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/json/tree_spec.h"

#include "core/base/json_writer.h"
#include "core/ir/context.h"

#include <vector>

namespace cutaway::ir {

namespace {

std::string compound(std::string_view type, const std::string &context, std::span<const std::string> children)
{
    JsonWriter json;
    json.beginObject();
    json.member("type", type);
    json.member("context", context);
    json.key("children_spec");
    json.beginArray();
    for (const std::string &child : children)
        json.raw(child);
    json.endArray();
    json.endObject();
    return json.take();
}

} // namespace

std::string leafSpec() { return R"({"type":null,"context":null,"children_spec":[]})"; }

std::string sequenceSpec(List::Kind kind, std::span<const std::string> children)
{
    return compound(kind == List::Kind::Tuple ? "builtins.tuple" : "builtins.list", "null", children);
}

std::string dictSpec(std::span<const std::string> keys, std::span<const std::string> children)
{
    JsonWriter context;
    context.beginArray();
    for (const std::string &key : keys)
        context.value(key);
    context.endArray();
    return compound("builtins.dict", context.take(), children);
}

std::string specOf(const Context &context, const Operand &operand)
{
    std::vector<std::string> keys, children;
    if (const auto *list = operand.as<List>()) {
        for (const Operand &item : list->items)
            children.push_back(specOf(context, item));
        return sequenceSpec(list->kind, children);
    }
    const auto *dict = operand.as<Dict>();
    if (!dict)
        return leafSpec();
    for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
        const auto *key = dict->items[i].as<String>();
        if (!key)
            return leafSpec(); // the dictionary as a whole, as dictSpec() takes only texts as keys
        keys.emplace_back(context.text(key->text));
        children.push_back(specOf(context, dict->items[i + 1]));
    }
    return dictSpec(keys, children);
}

} // namespace cutaway::ir
