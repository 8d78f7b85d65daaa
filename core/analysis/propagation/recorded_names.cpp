// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/recorded_names.h"

#include "core/analysis/binding.h"
#include "core/analysis/file_symbols.h"
#include "core/symbolic/equivalence.h"

#include <algorithm>

namespace cutaway::analysis {

using symbolic::Expr;

bool RecordedNames::isMade(const Expr &expr) const
{
    return expr.kind() == symbolic::Kind::Symbol && std::ranges::contains(m_made, expr.name(), &DataSize::name);
}

bool RecordedNames::mayName(const Expr &recorded) const
{
    const FileSymbols &symbols = *m_symbols;
    return symbols.contains(recorded) && (m_isOfThisCall || symbols.isDecidedByData(recorded));
}

/// Returns the intersection of two ranges of a size; `b` if it is empty.
static symbolic::Range common(const symbolic::Range &a, const symbolic::Range &b)
{
    const symbolic::Range both{std::max(a.min, b.min), std::min(a.max, b.max)};
    return both.min <= both.max ? both : b;
}

/// Replaces a number by the symbol that the file records for it: a graph that was traced for the only value of a size
/// has the number, where the code around it has the symbol of an input.
bool RecordedNames::lookAtNumber(ir::Dim &derived, const ir::Dim &recorded) const
{
    const auto *number = std::get_if<std::int64_t>(&derived);
    const auto *written = std::get_if<Expr>(&recorded);
    if (!number || !written || written->kind() != symbolic::Kind::Symbol || !mayName(*written)
        || m_symbols->isDecidedByData(*written))
        return false;
    ir::Dim known = m_symbols->of(*written);
    const auto *symbol = std::get_if<Expr>(&known);
    if (!symbol || *number < symbol->range().min || *number > symbol->range().max)
        return false;
    derived = std::move(known);
    return true;
}

bool RecordedNames::look(ir::Dim &derived, const ir::Dim &recorded)
{
    if (lookAtNumber(derived, recorded))
        return true;
    const auto *found = std::get_if<Expr>(&derived), *written = std::get_if<Expr>(&recorded);
    if (!found || !written || *found == *written)
        return false;
    const ir::Dim known = m_symbols->of(*written);
    const auto *expr = std::get_if<Expr>(&known);
    if (!isMade(*found)) {
        const bool isEqual = expr && m_symbols->contains(*written) && symbolic::isProvablyEqual(*found, *expr);
        if (isEqual)
            derived = known;
        return isEqual;
    }
    if (!mayName(*written) || std::holds_alternative<ir::UnknownDim>(known))
        return false;
    const bool isSymbol = expr && expr->kind() == symbolic::Kind::Symbol;
    m_names.try_emplace(found->name(),
                        isSymbol   ? Expr::symbol(expr->name(), common(found->range(), expr->range()))
                            : expr ? *expr
                                   : Expr::integer(std::get<std::int64_t>(known)));
    return false;
}

void RecordedNames::look(ops::Fact &derived, const ir::Type &recorded)
{
    if (auto *list = std::get_if<ops::SequenceFact>(&derived.v); list && list->each().size() == 1)
        return look(list->each().front(), recorded); // a file has a result per tensor of a list
    auto *tensor = std::get_if<ops::TensorFact>(&derived.v);
    if (const auto *type = std::get_if<ir::TensorType>(&recorded); type && tensor) {
        if (tensor->shape && type->shape && tensor->shape->size() == type->shape->size())
            for (std::size_t i = 0; i < tensor->shape->size(); ++i)
                if (ir::Dim size = (*tensor->shape)[i]; look(size, (*type->shape)[i]))
                    tensor->shape.edit()[i] = std::move(size);
        return;
    }
    auto *number = std::get_if<ops::NumberFact>(&derived.v);
    const auto *type = std::get_if<ir::NumberType>(&recorded);
    if (auto *value = number ? std::get_if<ir::Dim>(&number->value) : nullptr; value && type && type->value)
        look(*value, *type->value);
}

void RecordedNames::apply(const ir::NodeRef &node, ops::Facts &results)
{
    for (std::size_t i = 0; i < std::min(node.outputCount(), results.size()); ++i)
        look(results[i], node.output(i).type());
    if (m_names.empty())
        return;
    const auto named = [this](const ir::Dim &dim) -> ir::Dim {
        const auto *expr = std::get_if<Expr>(&dim);
        auto value = expr ? symbolic::replace(*expr, m_names) : Result<Expr>(Expr::integer(0));
        if (!expr || !value)
            return expr ? ir::Dim(ir::UnknownDim{}) : dim;
        return value->kind() == symbolic::Kind::Integer ? ir::Dim(value->integerValue()) : ir::Dim(std::move(*value));
    };
    for (ops::Fact &result : results)
        result = withSizes(std::move(result), named);
}

} // namespace cutaway::analysis
