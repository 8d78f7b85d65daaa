// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/literal_values.h"

namespace cutaway::formats::torchscript {

namespace {

struct LiteralOperand {
    ir::Context &context;

    ir::Operand operator()(NoneLiteral) const { return {}; }
    ir::Operand operator()(bool value) const { return value; }
    ir::Operand operator()(std::int64_t value) const { return value; }
    ir::Operand operator()(FloatLiteral literal) const { return literal.value; }
    ir::Operand operator()(ComplexLiteral literal) const
    {
        return std::complex(literal.real.value, literal.imaginary.value);
    }
    ir::Operand operator()(StringLiteral literal) const { return ir::String{context.name(literal.bytes)}; }
};

/// Recursion is as deep as the expression, which the parser limits.
struct Evaluation {
    ir::Context &context;
    const Tree &tree;

    std::optional<ir::Operand> of(ExpressionId id) const { return std::visit(*this, tree.at(id).kind); }

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

    std::optional<ir::Operand> operator()(const Literal &literal) const
    {
        return std::visit(LiteralOperand{context}, literal);
    }
    std::optional<ir::Operand> operator()(const Annotate &annotated) const { return of(annotated.value); }
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

std::optional<ir::Operand> literalValue(ir::Context &context, const Tree &tree, ExpressionId id)
{
    return Evaluation{context, tree}.of(id);
}

} // namespace cutaway::formats::torchscript
