// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/read/syntax.h"

namespace cutaway::formats::fx {

const Assign *assignAt(const Program &program, const Statement &statement)
{
    const auto *assign = std::get_if<Assign>(&statement.kind);
    const auto *literal = assign && assign->value ? std::get_if<Literal>(&program.at(*assign->value).kind) : nullptr;
    const bool isNone = literal && std::holds_alternative<NoneLiteral>(*literal);
    return assign && assign->value && !isNone ? assign : nullptr;
}

std::vector<std::string_view> namesOf(const Program &program, const Assign &assign)
{
    std::vector<std::string_view> names;
    for (const ExpressionId &target : assign.targets)
        for (const ExpressionId item : itemsOf(program, target))
            if (const auto *name = std::get_if<Name>(&program.at(item).kind))
                names.push_back(name->text);
    return names;
}

bool isUnpacked(const Program &program, const Assign &assign)
{
    return std::holds_alternative<Tuple>(program.at(assign.targets.front()).kind);
}

} // namespace cutaway::formats::fx
