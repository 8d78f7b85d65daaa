// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/literal_values.h"

#include "core/base/overloaded.h"

namespace cutaway::formats::torchscript {

namespace {

/// Evaluates literals. The recursion is only as deep as the expression, whose depth the parser limits.
struct Evaluation {
    ir::Context &context;
    const Tree &tree;

    std::optional<ir::Operand> of(ExpressionId id) const
    {
        const auto form = typedForm(tree, id);
        return form && form->kind == TypedForm::Kind::Annotate ? of(*form->value) : std::visit(*this, tree.at(id).kind);
    }

    std::optional<std::vector<ir::Operand>> all(const std::vector<ExpressionId> &ids) const
    {
        std::vector<ir::Operand> values;
        for (const ExpressionId id : ids) {
            auto value = of(id);
            if (!value)
                return std::nullopt;
            values.push_back(std::move(*value));
        }
        return values;
    }

    std::optional<ir::Operand> list(const std::vector<ExpressionId> &ids, ir::List::Kind kind) const
    {
        return all(ids).transform([&](std::vector<ir::Operand> items) { return ir::List{std::move(items), kind}; });
    }

    std::optional<ir::Operand> operator()(const Literal &literal) const { return literalOperand(context, literal); }
    std::optional<ir::Operand> operator()(const Tuple &tuple) const { return list(tuple.items, ir::List::Kind::Tuple); }
    std::optional<ir::Operand> operator()(const List &made) const { return list(made.items, ir::List::Kind::List); }
    std::optional<ir::Operand> operator()(const Dict &dict) const
    {
        std::vector<ExpressionId> flat;
        for (const auto &[key, value] : dict.entries)
            flat.insert(flat.end(), {key, value});
        return all(flat).transform([](std::vector<ir::Operand> items) { return ir::Dict{std::move(items)}; });
    }
    std::optional<ir::Operand> operator()(const auto &) const { return std::nullopt; }
};

} // namespace

ir::Operand literalOperand(ir::Context &context, const Literal &literal)
{
    return std::visit(Overloaded{
                          [](NoneLiteral) -> ir::Operand { return {}; },
                          [](EllipsisLiteral) -> ir::Operand { return {}; }, // TorchScript has no such literal
                          [&](StringLiteral string) -> ir::Operand { return ir::String{context.name(string.bytes)}; },
                          [](auto value) -> ir::Operand { return value; },
                      },
                      literal);
}

std::optional<ir::Operand> literalValue(ir::Context &context, const Tree &tree, ExpressionId id)
{
    return Evaluation{context, tree}.of(id);
}

} // namespace cutaway::formats::torchscript
