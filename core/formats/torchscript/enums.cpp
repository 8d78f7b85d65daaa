// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/enums.h"

#include "core/formats/torchscript/literal_values.h"
#include "core/ir/context.h"

namespace cutaway::formats::torchscript {

ir::Dict enumMembers(ir::Context &context, const ClassDefinition *definition)
{
    ir::Dict members;
    if (!definition || definition->syntax->kind != Class::Kind::Enum)
        return members;
    for (const Field &field : definition->syntax->fields) {
        auto value = field.value ? literalValue(context, definition->unit->file.tree, *field.value) : std::nullopt;
        if (!value)
            continue;
        members.items.push_back(ir::String{context.name(std::string(definition->name).append(".").append(field.name))});
        members.items.push_back(std::move(*value));
    }
    return members;
}

std::optional<ir::Operand> enumMember(ir::Context &context, const ClassDefinition *definition, const ir::Operand &value)
{
    const ir::Dict members = enumMembers(context, definition);
    for (std::size_t i = 0; i + 1 < members.items.size(); i += 2)
        if (members.items[i + 1] == value)
            return members.items[i];
    return std::nullopt;
}

std::string memberNames(ir::Context &context, const ClassDefinition &definition)
{
    const ir::Dict members = enumMembers(context, &definition);
    std::string names;
    for (std::size_t i = 0; i + 1 < members.items.size(); i += 2) {
        const std::string_view whole = context.text(members.items[i].as<ir::String>()->text);
        names.append(names.empty() ? "" : ", ").append(whole.substr(definition.name.size() + 1));
    }
    return names;
}

} // namespace cutaway::formats::torchscript
