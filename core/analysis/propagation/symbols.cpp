// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/symbols.h"

#include "core/analysis/shapes.h"

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

/// Whether the size mentioned one of the symbols.
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

} // namespace

ir::Dim Symbols::freshSize(std::string_view hint)
{
    return symbolic::Expr::symbol(std::string(hint) + "_" + std::to_string(m_count++));
}

ir::Dim Symbols::freshChoice()
{
    const std::string name = "taken_" + std::to_string(m_count++);
    m_choices.insert(name);
    return symbolic::Expr::symbol(name);
}

void Symbols::removeChoices(Shapes &shapes) const
{
    if (m_choices.empty())
        return;
    const auto forget = [this](auto &figure) { return makeUnknown(figure, m_choices); };
    std::vector<char> changedStorages;
    std::ranges::transform(shapes.storages, std::back_inserter(changedStorages), forget);
    for (std::size_t i = 0; i < shapes.costs.size(); ++i) {
        Trace::Visit &visit = shapes.trace.visits[i];
        const auto own =
            std::span(changedStorages).subspan(visit.before.storages, visit.after.storages - visit.before.storages);
        if (forget(shapes.costs[i]) || std::ranges::contains(own, true))
            visit.kind = Trace::Visit::Kind::Entangled;
    }
    forget(shapes.total);
    for (std::size_t i = 0; i < shapes.facts.size(); ++i)
        ops::forEachTensor(shapes.facts[i], [&](ops::TensorFact &tensor) {
            if (tensor.shape && std::ranges::count_if(*tensor.shape, forget) > 0)
                shapes.trace.changes[i] = 2;
        });
}

} // namespace cutaway::analysis
