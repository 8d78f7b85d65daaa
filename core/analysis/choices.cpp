// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

// Whether a branch is taken that only data decides: a symbol while facts are propagated, and unknown in the end.

namespace cutaway::analysis {

namespace {

bool has(const symbolic::Expr &expr, const std::unordered_set<std::string> &symbols)
{
    if (expr.kind() == symbolic::Kind::Symbol)
        return symbols.contains(expr.name());
    return std::ranges::any_of(expr.operands(), [&](const symbolic::Expr &operand) { return has(operand, symbols); });
}

} // namespace

ir::Dim Inference::freshChoice()
{
    const std::string name = "taken_" + std::to_string(fresh++);
    m_choices.insert(name);
    return symbolic::Expr::symbol(name);
}

/// What is no longer as nodes saw it is not to be taken over by another propagation.
void Inference::removeChoices(Shapes &shapes) const
{
    if (m_choices.empty())
        return;
    const auto remove = [this](ir::Dim &dim) {
        const auto *expr = std::get_if<symbolic::Expr>(&dim);
        const bool isChoice = expr && has(*expr, m_choices);
        if (isChoice)
            dim = ir::UnknownDim{};
        return isChoice;
    };
    const auto removeFrom = [&](ops::Cost &cost) {
        const std::array removed{remove(cost.flops), remove(cost.otherFlops), remove(cost.bytesRead),
                                 remove(cost.bytesWritten)};
        return std::ranges::contains(removed, true);
    };
    std::vector<char> changed; // of storages
    std::ranges::transform(shapes.storages, std::back_inserter(changed), remove);
    for (std::size_t i = 0; i < shapes.costs.size(); ++i) {
        Trace::Visit &visit = shapes.trace.visits[i];
        const auto own =
            std::span(changed).subspan(visit.before.storages, visit.after.storages - visit.before.storages);
        if (removeFrom(shapes.costs[i]) || std::ranges::contains(own, true))
            visit.kind = Trace::Visit::Kind::Entangled;
    }
    removeFrom(shapes.total);
    for (std::size_t i = 0; i < shapes.facts.size(); ++i)
        ops::forEachTensor(shapes.facts[i], [&](ops::TensorFact &tensor) {
            if (tensor.shape && std::ranges::count_if(*tensor.shape, remove) > 0)
                shapes.trace.changes[i] = 2;
        });
}

} // namespace cutaway::analysis
