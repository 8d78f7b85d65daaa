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

/// As make(), but constants that cannot be computed are an error instead of being kept.
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

} // namespace

std::set<std::string> symbolsOf(const Expr &expr)
{
    std::set<std::string> names;
    collectSymbols(expr, names);
    return names;
}

Result<Expr> substitute(const Expr &expr, const Bindings &bindings)
{
    if (expr.kind() == Kind::Symbol) {
        const auto bound = bindings.find(expr.name());
        return bound == bindings.end() ? expr : Expr::integer(bound->second);
    }
    if (expr.kind() < Kind::Symbol)
        return expr;
    std::vector<Expr> operands;
    for (const Expr &operand : expr.operands()) {
        auto replaced = substitute(operand, bindings);
        if (!replaced)
            return replaced;
        operands.push_back(std::move(*replaced));
    }
    return computed(expr, std::move(operands));
}

} // namespace cutaway::symbolic
