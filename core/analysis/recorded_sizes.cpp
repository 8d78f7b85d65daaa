// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/recorded_sizes.h"

#include "core/analysis/binding.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

RecordedSizes::RecordedSizes(const ir::Model &model, symbolic::Bindings bindings) : m_bindings(std::move(bindings))
{
    for (const ir::Symbol &symbol : model.symbols)
        m_symbols.insert(symbol.name);
}

ir::Dim RecordedSizes::of(const ir::Dim &dim) const
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr)
        return dim;
    if (!isKnown(*expr))
        return ir::UnknownDim{};
    if (m_bindings.empty())
        return dim;
    return bound(*expr, m_bindings);
}

ir::Shape RecordedSizes::of(const ir::Shape &shape) const
{
    ir::Shape result;
    result.reserve(shape.size());
    for (const ir::Dim &dim : shape)
        result.push_back(of(dim));
    return result;
}

bool RecordedSizes::isKnown(const symbolic::Expr &expr) const
{
    if (expr.kind() == symbolic::Kind::Symbol)
        return m_symbols.contains(expr.name());
    return std::ranges::all_of(expr.operands(), [&](const symbolic::Expr &operand) { return isKnown(operand); });
}

} // namespace cutaway::analysis
