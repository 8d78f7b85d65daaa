// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/syntax.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

Targets targetsOf(const Tree &tree, const Assign &assign)
{
    const auto *tuple = std::get_if<Tuple>(&tree.at(assign.targets.front()).kind);
    const bool areItems = tuple && (tuple->endsInComma || tuple->items.size() == 1);
    return {itemsOf(tree, assign.targets.front()),
            tuple && !areItems ? itemsOf(tree, *assign.value) : std::span(&*assign.value, 1), areItems};
}

std::optional<ExpressionId> countOf(const Tree &tree, const For &loop)
{
    const auto *call = std::get_if<Call>(&tree.at(loop.items).kind);
    const bool isRange = call && call->arguments.size() == 1 && dottedName(tree, call->callee) == "range";
    return isRange ? std::optional(call->arguments[0].value) : std::nullopt;
}

std::optional<std::string_view> typeName(const Tree &tree, ExpressionId id)
{
    const Expression::Kind &kind = tree.at(id).kind;
    const auto *literal = std::get_if<Literal>(&kind);
    const bool isNone = literal && std::holds_alternative<NoneLiteral>(*literal);
    const std::string_view text = tree.textOf(id);
    const bool isName = (std::holds_alternative<Name>(kind) || std::holds_alternative<Attribute>(kind))
        && text.find_first_of(" \t\r\n\\#([") == text.npos;
    return isNone || isName ? std::optional(text) : std::nullopt;
}

std::optional<TypedForm> typedForm(const Tree &tree, ExpressionId id)
{
    using enum TypedForm::Kind;
    struct Row {
        std::string_view name;
        TypedForm::Kind kind;
        std::size_t size, type, value;
    };
    static constexpr Row rows[] = {{"annotate", Annotate, 2, 0, 1},
                                   {"unchecked_cast", UncheckedCast, 2, 0, 1},
                                   {"uninitialized", Uninitialized, 1, 0, 1},
                                   {"isinstance", IsInstance, 2, 1, 0}};
    const auto *call = std::get_if<Call>(&tree.at(id).kind);
    const auto *name = call ? std::get_if<Name>(&tree.at(call->callee).kind) : nullptr;
    if (!name)
        return std::nullopt;
    const auto *const row = std::ranges::find(rows, name->text, &Row::name);
    if (row == std::end(rows) || call->arguments.size() != row->size)
        return std::nullopt;
    TypedForm form{row->kind, call->arguments[row->type].value, {}};
    if (row->value < row->size)
        form.value = call->arguments[row->value].value;
    return form;
}

const Call *callAt(const Tree &tree, ExpressionId id)
{
    const auto *call = std::get_if<Call>(&tree.at(id).kind);
    return call && !typedForm(tree, id) ? call : nullptr;
}

} // namespace cutaway::formats::torchscript
