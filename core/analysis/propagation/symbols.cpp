// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/symbols.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/number_arithmetic.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace cutaway::analysis {

namespace {

using Names = std::unordered_set<std::string>;

bool mentions(const symbolic::Expr &expr, const Names &symbols)
{
    if (expr.kind() == symbolic::Kind::Symbol)
        return symbols.contains(expr.name());
    return std::ranges::any_of(expr.operands(),
                               [&](const symbolic::Expr &operand) { return mentions(operand, symbols); });
}

ir::Dim lesser(const ir::Dim &a, const ir::Dim &b)
{
    if (!ops::isKnown(a))
        return b;
    return ops::isKnown(b) ? ops::minimum(a, b) : a;
}

using Combine = ir::Dim (*)(const ir::Dim &, const ir::Dim &);

/// Returns how the limit of a size follows from the limits of its operands, if it grows with them; nullptr for other
/// sizes.
Combine combining(const symbolic::Expr &size)
{
    switch (size.kind()) {
    case symbolic::Kind::Add:
        return ops::plus;
    case symbolic::Kind::Maximum:
        return ops::maximum;
    case symbolic::Kind::Minimum:
        return lesser;
    case symbolic::Kind::Multiply:
        return std::ranges::all_of(size.operands(), ops::isNonNegative) ? Combine(ops::times) : nullptr;
    default:
        return nullptr;
    }
}

/// Whether the size is a power that grows with its base.
bool isNaturalPower(const symbolic::Expr &size)
{
    if (size.kind() != symbolic::Kind::Power)
        return false;
    const symbolic::Expr &exponent = size.operands()[1];
    return exponent.kind() == symbolic::Kind::Integer && exponent.integerValue() >= 0
        && ops::isNonNegative(size.operands()[0]);
}

/// Makes the size unknown if it mentions one of the symbols. Returns whether it did.
bool makeUnknown(ir::Dim &dim, const Names &symbols)
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr || !mentions(*expr, symbols))
        return false;
    dim = ir::UnknownDim{};
    return true;
}

bool makeUnknown(ops::Cost &cost, const Names &symbols)
{
    const std::array removed{makeUnknown(cost.flops, symbols), makeUnknown(cost.otherFlops, symbols),
                             makeUnknown(cost.bytesRead, symbols), makeUnknown(cost.bytesWritten, symbols)};
    return std::ranges::contains(removed, true);
}

symbolic::Range rangeOf(std::string_view hint, const ir::Dim &limit)
{
    if (hint == ops::itemHint)
        return {};
    const auto *expr = std::get_if<symbolic::Expr>(&limit);
    const auto n = ops::number(limit);
    return n   ? symbolic::Range::upTo(std::max<std::int64_t>(*n, 0))
        : expr ? symbolic::Range::upTo(expr->range().max)
               : symbolic::Range::size();
}

} // namespace

ir::Dim Symbols::freshSize(std::string_view hint, const ir::Dim &most)
{
    const std::string name = std::string(hint) + "_" + std::to_string(count());
    const ir::Dim limit = limitOf(most);
    add({name, limit});
    return symbolic::Expr::symbol(name, rangeOf(hint, limit));
}

ir::Dim Symbols::freshChoice()
{
    const std::string name = "taken_" + std::to_string(count());
    m_choices.insert(name);
    add({name, std::int64_t{1}});
    return symbolic::Expr::symbol(name, symbolic::Range::upTo(1));
}

void Symbols::append(std::span<const DataSize> made)
{
    for (const DataSize &size : made)
        add(size);
}

void Symbols::add(DataSize made)
{
    m_limits.insert_or_assign(made.name, made.most);
    m_made.push_back(std::move(made));
}

ir::Dim Symbols::limitOf(const ir::Dim &size) const
{
    const auto *expr = std::get_if<symbolic::Expr>(&size);
    return expr ? limitOf(*expr) : size;
}

/// Returns an upper limit of the size that mentions no symbol made up here; unknown where one of these has no limit or
/// the size does not grow with it.
ir::Dim Symbols::limitOf(const symbolic::Expr &size) const
{
    const std::vector<symbolic::Expr> &operands = size.operands();
    if (size.kind() == symbolic::Kind::Integer)
        return size.integerValue();
    if (size.kind() == symbolic::Kind::Symbol) {
        const auto made = m_limits.find(size.name());
        return made == m_limits.end() ? ir::Dim(size) : made->second;
    }
    if (isNaturalPower(size))
        return ops::compute(ops::Arithmetic::Power, limitOf(operands[0]), operands[1].integerValue());
    if (const auto combine = combining(size)) {
        ir::Dim limit = limitOf(operands[0]);
        for (std::size_t i = 1; i < operands.size(); ++i)
            limit = combine(limit, limitOf(operands[i]));
        return limit;
    }
    const auto isMade = [&](const std::string &symbol) { return m_limits.contains(symbol); };
    if (std::ranges::none_of(symbolic::symbolsOf(size), isMade))
        return size;
    const std::int64_t most = size.range().max;
    return most == symbolic::Range().max ? ir::Dim(ir::UnknownDim{}) : ir::Dim(most);
}

void Symbols::removeChoices(Shapes &shapes) const
{
    if (m_choices.empty())
        return;
    const auto forget = [this](auto &figure) { return makeUnknown(figure, m_choices); };
    std::vector<char> changedStorages;
    std::ranges::transform(shapes.storages, std::back_inserter(changedStorages), forget);
    std::vector<char> changedCosts;
    std::ranges::transform(shapes.costs.kept(), std::back_inserter(changedCosts), forget);
    for (std::size_t i = 0; i < shapes.costs.size(); ++i) {
        Trace::Visit &visit = shapes.trace.visits[i];
        const auto own =
            std::span(changedStorages).subspan(visit.before.storages, visit.after.storages - visit.before.storages);
        if (changedCosts[shapes.costs.placeOf(i)] || std::ranges::contains(own, true))
            visit.kind = Trace::Visit::Kind::Entangled;
    }
    forget(shapes.total);
    for (std::size_t i = 0; i < shapes.facts.size(); ++i)
        ops::forEachTensor(shapes.facts[i], [&](ops::TensorFact &tensor) {
            for (std::size_t axis = 0; tensor.shape && axis < tensor.shape->size(); ++axis)
                if (ir::Dim size = (*tensor.shape)[axis]; forget(size)) {
                    tensor.shape.edit()[axis] = size;
                    shapes.trace.changes[i] = 2;
                }
        });
}

} // namespace cutaway::analysis
