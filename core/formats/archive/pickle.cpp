// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/pickle.h"

namespace cutaway::formats::archive {

std::optional<std::string_view> Pickle::text(ValueId id) const
{
    const auto *text = as<Text>(id);
    return text ? std::optional(text->text) : std::nullopt;
}

std::optional<std::int64_t> Pickle::integer(ValueId id) const
{
    const auto *n = as<std::int64_t>(id);
    return n ? std::optional(*n) : std::nullopt;
}

std::optional<std::span<const Pickle::ValueId>> Pickle::items(ValueId id) const
{
    const auto *items = as<Items>(id);
    return items ? std::optional(std::span(items->items)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> Pickle::integers(ValueId id, std::size_t most) const
{
    auto list = items(id);
    if (!list)
        if (const auto arguments = callOf(id, "torch", "Size"); arguments && arguments->size() == 1)
            list = items(arguments->front());
    if (!list || list->size() > most)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const ValueId item : *list) {
        const auto n = integer(item);
        if (!n)
            return std::nullopt;
        numbers.push_back(*n);
    }
    return numbers;
}

std::optional<std::span<const std::pair<Pickle::ValueId, Pickle::ValueId>>> Pickle::entries(ValueId id) const
{
    if (const auto *dict = as<Dict>(id))
        return std::span(dict->entries);
    if (const auto *call = as<Call>(id); call && isGlobal(call->callee, "collections", "OrderedDict"))
        return std::span(call->entries);
    return std::nullopt;
}

std::optional<Pickle::ValueId> Pickle::entry(ValueId dict, std::string_view key) const
{
    std::optional<ValueId> found;
    if (const auto all = entries(dict))
        for (const auto &[k, v] : *all)
            if (text(k) == key)
                found = v;
    return found;
}

bool Pickle::isGlobal(ValueId id, std::string_view module, std::string_view name) const
{
    const auto *global = as<Global>(id);
    return global && global->module == module && global->name == name;
}

std::optional<std::span<const Pickle::ValueId>> Pickle::callOf(ValueId id, std::string_view module,
                                                               std::string_view name) const
{
    const auto *call = as<Call>(id);
    return call && isGlobal(call->callee, module, name) ? items(call->arguments) : std::nullopt;
}

} // namespace cutaway::formats::archive
