// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/symbolic_sizes.h"

#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/node.h"

#include <algorithm>
#include <span>

namespace cutaway::rules::to_aten {

namespace {

/// Returns Python's operator on a torch.SymInt that computes `kind`; "" if there is none.
std::string_view pythonFunction(symbolic::Kind kind)
{
    switch (kind) {
    case symbolic::Kind::Add:
        return "add";
    case symbolic::Kind::Multiply:
        return "mul";
    case symbolic::Kind::FloorDivide:
        return "floordiv";
    case symbolic::Kind::Modulo:
        return "mod";
    default:
        return {};
    }
}

ir::Dim dimOf(const symbolic::Expr &expr)
{
    return expr.kind() == symbolic::Kind::Integer ? ir::Dim(expr.integerValue()) : ir::Dim(expr);
}

symbolic::Expr exprOf(const ir::Dim &dim)
{
    const auto number = ops::number(dim);
    return number ? symbolic::Expr::integer(*number) : std::get<symbolic::Expr>(dim);
}

} // namespace

std::optional<ir::Operand> SymbolicSizes::operandOf(const ir::Dim &dim)
{
    if (const auto number = ops::number(dim))
        return *number;
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr)
        return given(dim);
    const auto known = std::ranges::find(m_known, *expr, &std::pair<symbolic::Expr, ir::Operand>::first);
    if (known != m_known.end())
        return known->second;
    auto found = given(dim);
    if (!found)
        found = computed(*expr);
    if (found)
        m_known.emplace_back(*expr, *found);
    return found;
}

/// Returns an operand for a size that is an argument of the node or an input of the function, or the size of a tensor
/// among these; nothing if there is none.
std::optional<ir::Operand> SymbolicSizes::given(const ir::Dim &dim)
{
    const std::vector<ir::Argument> arguments = m_node->arguments;
    for (const ir::Argument &each : arguments)
        if (auto found = givenIn(each.value, dim))
            return found;
    for (const ir::FunctionInput &input : m_rewriter.function().inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            if (auto found = givenIn(input.value, dim))
                return found;
    return std::nullopt;
}

std::optional<ir::Operand> SymbolicSizes::givenIn(const ir::Operand &operand, const ir::Dim &dim)
{
    if (const auto *list = operand.as<ir::List>()) {
        for (const ir::Operand &item : list->items)
            if (auto found = givenIn(item, dim))
                return found;
        return std::nullopt;
    }
    if (!operand.as<ir::ValueId>())
        return std::nullopt;
    const ops::Fact known = m_rewriter.fact(operand);
    if (const auto *number = known.as<ops::NumberFact>()) {
        const auto *value = std::get_if<ir::Dim>(&number->value);
        return value && ops::isSame(*value, dim) ? std::optional(operand) : std::nullopt;
    }
    const auto tensor = tensorIn(known);
    for (std::size_t d = 0; tensor && d < tensor->rank(); ++d)
        if (ops::isSame(tensor->shape[d], dim))
            return made({"aten",
                         "sym_size",
                         "int",
                         {{m_rewriter.text("self"), operand}, {m_rewriter.text("dim"), static_cast<std::int64_t>(d)}}},
                        dim);
    return std::nullopt;
}

std::optional<ir::Operand> SymbolicSizes::computed(const symbolic::Expr &expr)
{
    const std::string_view function = pythonFunction(expr.kind());
    if (function.empty())
        return std::nullopt;
    ir::Dim dim = dimOf(expr.operands().front());
    auto found = operandOf(dim);
    for (const symbolic::Expr &next : std::span(expr.operands()).subspan(1)) {
        const auto other = found ? operandOf(dimOf(next)) : std::nullopt;
        if (!other)
            return std::nullopt;
        dim = dimOf(symbolic::Expr::make(expr.kind(), {exprOf(dim), next}));
        const auto number = ops::number(dim);
        found = number ? ir::Operand(*number) : made({"_operator", function, "", {{{}, *found}, {{}, *other}}}, dim);
    }
    return found;
}

ir::Operand SymbolicSizes::made(rewrite::Rewriter::Make make, const ir::Dim &dim)
{
    const std::string_view name = make.name;
    const ir::NodeRef node = m_rewriter.insertBefore(m_node, std::move(make));
    m_made.push_back(node);
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    const ir::NumberType type{.value = expr ? std::optional(*expr) : std::nullopt};
    return m_rewriter.addOutput(node, m_rewriter.context().type(type), name);
}

} // namespace cutaway::rules::to_aten
