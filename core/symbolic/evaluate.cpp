// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/evaluate.h"

#include "core/symbolic/fold.h"

#include <algorithm>

namespace cutaway::symbolic {

namespace {

void collectSymbols(const Expr &expr, std::set<std::string> &names)
{
    if (expr.kind() == Kind::Symbol)
        names.insert(expr.name());
    for (const Expr &operand : expr.operands())
        collectSymbols(operand, names);
}

/// Makes an expression like make(), but constants that cannot be computed are an error instead of being kept.
Result<Expr> computed(const Expr &old, std::vector<Expr> operands)
{
    if (old.kind() == Kind::Call)
        return Expr::call(old.name(), std::move(operands));
    if (std::ranges::all_of(operands, &Expr::isConstant))
        return fold(old.kind(), operands).transform_error([&](Error error) {
            error.where = print(old);
            return error;
        });
    return Expr::make(old.kind(), std::move(operands));
}

/// Replaces symbols: valueOf(symbol) returns the expression for a symbol.
template <class ValueOf>
Result<Expr> replaced(const Expr &expr, const ValueOf &valueOf)
{
    if (expr.kind() == Kind::Symbol)
        return valueOf(expr);
    if (expr.kind() < Kind::Symbol)
        return expr;
    std::vector<Expr> operands;
    for (const Expr &operand : expr.operands()) {
        auto value = replaced(operand, valueOf);
        if (!value)
            return value;
        operands.push_back(std::move(*value));
    }
    return computed(expr, std::move(operands));
}

} // namespace

std::set<std::string> symbolsOf(const Expr &expr)
{
    std::set<std::string> names;
    collectSymbols(expr, names);
    return names;
}

Result<Expr> substitute(const Expr &expr, const Bindings &bindings)
{
    return replaced(expr, [&](const Expr &symbol) {
        const auto bound = bindings.find(symbol.name());
        return bound == bindings.end() ? symbol : Expr::integer(bound->second);
    });
}

Result<Expr> replace(const Expr &expr, const Replacements &replacements)
{
    return replaced(expr, [&](const Expr &symbol) {
        const auto found = replacements.find(symbol.name());
        return found == replacements.end() ? symbol : found->second;
    });
}

} // namespace cutaway::symbolic
