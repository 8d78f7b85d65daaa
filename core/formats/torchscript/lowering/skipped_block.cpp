// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/skipped_block.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

std::optional<ir::TypeId> typeOf(ExpressionId id, Frame &frame, Types &types)
{
    const Expression::Kind &kind = frame.tree().at(id).kind;
    if (const auto *literal = std::get_if<Literal>(&kind))
        return std::holds_alternative<NoneLiteral>(*literal) ? std::optional(types.plain(ir::PlainType::Kind::None))
                                                             : std::nullopt;
    if (const auto form = typedForm(frame.tree(), id);
        form && (form->kind == TypedForm::Kind::UncheckedCast || form->kind == TypedForm::Kind::Uninitialized))
        return frame.typeOf(form->type);
    const auto *name = std::get_if<Name>(&kind);
    const Typed *value = name ? frame.names.value(name->text) : nullptr;
    return value ? std::optional(value->seen) : std::nullopt;
}

} // namespace

std::optional<ir::TypeId> typeBehind(std::span<const StatementId> statements, std::string_view name, Frame &frame,
                                     Types &types)
{
    const Tree &tree = frame.tree();
    for (; !statements.empty(); statements = statements.first(statements.size() - 1)) {
        const Statement::Kind &last = tree.at(statements.back()).kind;
        if (const auto *branch = std::get_if<If>(&last)) {
            const auto then = typeBehind(branch->then, name, frame, types);
            const auto orElse = typeBehind(branch->orElse, name, frame, types);
            if (then && orElse)
                return types.join(*then, *orElse);
        }
        const auto *assign = std::get_if<Assign>(&last);
        const Targets targets = assign ? targetsOf(tree, *assign) : Targets();
        for (std::size_t i = 0; !targets.areItems && i < std::min(targets.names.size(), targets.values.size()); ++i) {
            const auto *target = std::get_if<Name>(&tree.at(targets.names[i]).kind);
            if (!target || target->text != name)
                continue;
            if (assign->type)
                return frame.typeOf(*assign->type);
            const ExpressionId value = targets.values[i];
            const auto *copied = std::get_if<Name>(&tree.at(value).kind);
            const auto before = statements.first(statements.size() - 1);
            const auto type = copied ? typeBehind(before, copied->text, frame, types) : std::nullopt;
            return type ? type : typeOf(value, frame, types);
        }
    }
    return std::nullopt;
}

} // namespace cutaway::formats::torchscript
