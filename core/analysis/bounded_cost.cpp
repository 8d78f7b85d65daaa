// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/bounded_cost.h"

namespace cutaway::analysis {

using ops::Cost;

Cost boundedBy(const Cost &cost, const Cost &bound)
{
    const auto figure = [](const ir::Dim &known, const ir::Dim &other) { return ops::isKnown(known) ? known : other; };
    return {figure(cost.flops, bound.flops), figure(cost.otherFlops, bound.otherFlops),
            figure(cost.bytesRead, bound.bytesRead), figure(cost.bytesWritten, bound.bytesWritten)};
}

Cost knownPart(const Cost &cost) { return boundedBy(cost, {}); }

bool isKnownCost(const Cost &cost)
{
    return ops::isKnown(cost.flops) && ops::isKnown(cost.otherFlops) && ops::isKnown(cost.bytesRead)
        && ops::isKnown(cost.bytesWritten);
}

Cost BoundedCost::lowerBound() const { return knownPart(atLeast ? *atLeast : cost); }

BoundedCost plus(const BoundedCost &a, const BoundedCost &b)
{
    BoundedCost sum{ops::plus(a.cost, b.cost)};
    if (a.atLeast || b.atLeast || !isKnownCost(sum.cost))
        sum.atLeast = knownPart(ops::plus(a.lowerBound(), b.lowerBound()));
    return sum;
}

BoundedCost times(const BoundedCost &cost, const ir::Dim &count)
{
    // A cost of 0 stays 0, however often the region runs.
    const auto figure = [&](const ir::Dim &once) { return ops::number(once) == 0 ? once : ops::times(once, count); };
    BoundedCost product{{figure(cost.cost.flops), figure(cost.cost.otherFlops), figure(cost.cost.bytesRead),
                         figure(cost.cost.bytesWritten)}};
    if (cost.atLeast || !isKnownCost(product.cost))
        product.atLeast = knownPart(ops::times(cost.lowerBound(), count));
    return product;
}

} // namespace cutaway::analysis
