// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/syntax.h"

#include <ranges>

namespace cutaway::formats::python {

std::span<const ExpressionId> itemsOf(const Tree &tree, const ExpressionId &id)
{
    const auto *tuple = std::get_if<Tuple>(&tree.at(id).kind);
    return tuple ? std::span(tuple->items) : std::span(&id, 1);
}

std::optional<std::string> dottedName(const Tree &tree, ExpressionId id)
{
    std::vector<std::string_view> parts;
    while (const auto *attribute = std::get_if<Attribute>(&tree.at(id).kind)) {
        parts.push_back(attribute->name);
        id = attribute->object;
    }
    const auto *root = std::get_if<Name>(&tree.at(id).kind);
    if (!root)
        return std::nullopt;
    std::string name(root->text);
    for (const std::string_view part : std::views::reverse(parts))
        name.append(".").append(part);
    return name;
}

} // namespace cutaway::formats::python
