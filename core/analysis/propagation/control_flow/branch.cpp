// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/control_flow/decided_sizes.h"
#include "core/analysis/propagation/control_flow/iteration.h"
#include "core/analysis/propagation/symbols.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

bool raises(const ir::NodeRef &node, std::size_t region)
{
    return std::ranges::any_of(ir::nodesOf(node.graph(), node->regions[region]),
                               [](const ir::NodeRef &inner) { return ops::kindOf(inner) == ops::kind::raise; });
}

/// Whether the first region is taken, if that is known. A region that raises an exception has no results, so the other
/// is taken.
std::optional<bool> isThenTaken(const ir::NodeRef &node, const Walk &walk)
{
    if (const auto condition = ops::asBool(argumentOf(node, 0, walk)))
        return condition;
    const bool doesElseRaise = raises(node, 1);
    return raises(node, 0) == doesElseRaise ? std::nullopt : std::optional(doesElseRaise);
}

/// Returns whether the first region is taken, as a size: 1, 0, or a symbol, which becomes the value of the condition.
/// So branches on one condition are known to be taken together, or instead of each other.
ir::Dim choiceOf(const ir::NodeRef &node, std::optional<bool> taken, Walk &walk)
{
    if (taken)
        return std::int64_t{*taken};
    const auto *condition = node->arguments.empty() ? nullptr : node->arguments[0].value.as<ir::ValueId>();
    const auto *boolean = condition ? walk.of(*condition).as<ops::NumberFact>() : nullptr;
    if (!boolean || boolean->kind != ops::NumberFact::Kind::Bool)
        return ir::UnknownDim{};
    if (const auto *known = std::get_if<ir::Dim>(&boolean->value))
        return *known;
    const ir::Dim choice = walk.symbols().freshChoice();
    walk.set(*condition, ops::NumberFact{ops::NumberFact::Kind::Bool, choice});
    return choice;
}

/// Returns `a` if the choice is 1, and `b` if it is 0.
ir::Dim chosen(const ir::Dim &choice, const ir::Dim &a, const ir::Dim &b)
{
    if (a == b)
        return a;
    if (const auto known = ops::number(choice))
        return *known != 0 ? a : b;
    return ops::plus(b, ops::times(ops::minus(a, b), choice));
}

ops::Cost chosen(const ir::Dim &choice, const ops::Cost &a, const ops::Cost &b)
{
    return {chosen(choice, a.flops, b.flops), chosen(choice, a.otherFlops, b.otherFlops),
            chosen(choice, a.bytesRead, b.bytesRead), chosen(choice, a.bytesWritten, b.bytesWritten)};
}

/// Returns the cost of the branch that runs; if that is not known, the smaller bound of both.
BoundedCost chosen(const ir::Dim &choice, const BoundedCost &a, const BoundedCost &b)
{
    BoundedCost cost{chosen(choice, a.cost, b.cost)};
    if (!ops::number(choice) || !isKnownCost(cost.cost)) {
        const ops::Cost x = a.lowerBound(), y = b.lowerBound();
        cost.atLeast = ops::number(choice)
            ? chosen(choice, x, y)
            : ops::Cost{ops::minimum(x.flops, y.flops), ops::minimum(x.otherFlops, y.otherFlops),
                        ops::minimum(x.bytesRead, y.bytesRead), ops::minimum(x.bytesWritten, y.bytesWritten)};
    }
    return cost;
}

/// Returns why the cost of a branch is not known although the costs of both sides are; "" if it is known.
std::string whyUnknown(const ir::Dim &choice, const BoundedCost &a, const BoundedCost &b)
{
    const bool isSame = a.cost.flops == b.cost.flops && a.cost.otherFlops == b.cost.otherFlops;
    return ops::number(choice) || isSame ? "" : "which branch is taken is not known";
}

const bool *knownBoolean(const Fact &fact)
{
    const auto *number = fact.as<ops::NumberFact>();
    return number ? std::get_if<bool>(&number->value) : nullptr;
}

/// Returns the join of two Booleans. Where one side gives true and the other false, it is the choice itself, or its
/// opposite.
Fact chosen(const ir::Dim &choice, const Fact &a, const Fact &b, Fact joined)
{
    const bool *first = knownBoolean(a), *second = knownBoolean(b);
    if (!first || !second || *first == *second || !ops::isKnown(choice))
        return joined;
    return ops::NumberFact{ops::NumberFact::Kind::Bool, *first ? choice : ops::minus(std::int64_t{1}, choice)};
}

/// Returns the outputs as aliases of the region's results, since they are not copied.
std::vector<Outcome::Alias> aliasesOf(const ir::NodeRef &node, std::optional<bool> taken)
{
    std::vector<Outcome::Alias> aliases;
    for (const bool isThen : {true, false}) {
        const auto &given = node.region(isThen ? 0 : 1).outputs;
        for (std::size_t i = 0; taken.value_or(isThen) == isThen && i < std::min(node.outputCount(), given.size()); ++i)
            if (const auto *value = given[i].as<ir::ValueId>())
                aliases.push_back({node->outputs[i], *value});
    }
    return aliases;
}

} // namespace

Outcome runBranch(const ir::NodeRef &node, Walk &walk)
{
    if (node->regions.size() < 2)
        return runInline(node, walk);
    const std::optional<bool> taken = isThenTaken(node, walk);
    const Facts arguments = argumentsFrom(node, 1, walk);
    const ir::Dim choice = choiceOf(node, taken, walk);
    const auto reached = [&](bool isThen) {
        return !taken ? Reached::Possibly : *taken == isThen ? Reached::Certainly : Reached::Never;
    };
    const Facts then = walk.enter(node->regions[0], arguments, reached(true));
    const Facts orElse = walk.enter(node->regions[1], arguments, reached(false));
    Facts results;
    DecidedSizes sizes(walk.symbols());
    for (std::size_t i = 0; i < std::min({node.outputCount(), then.size(), orElse.size()}); ++i) {
        const Fact &a = then[i], &b = orElse[i];
        Fact joined = taken ? (*taken ? a : b) : chosen(choice, a, b, joinedOutput(node, i, a, b));
        results.push_back(!taken ? sizes.of(std::move(joined), a, b) : std::move(joined));
    }
    const BoundedCost thenCost = walk.costOf(node->regions[0]), elseCost = walk.costOf(node->regions[1]);
    return {std::move(results), chosen(choice, thenCost, elseCost), aliasesOf(node, taken),
            whyUnknown(choice, thenCost, elseCost)};
}

} // namespace cutaway::analysis
