// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/iteration.h"

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

bool canBeNone(const ir::Type &type)
{
    using Compound = ir::CompoundType::Kind;
    using Plain = ir::PlainType::Kind;
    if (const auto *compound = std::get_if<ir::CompoundType>(&type))
        return compound->kind == Compound::Optional || compound->kind == Compound::Union;
    if (const auto *plain = std::get_if<ir::PlainType>(&type))
        return plain->kind == Plain::Any || plain->kind == Plain::None;
    return std::holds_alternative<ir::UnknownType>(type);
}

/// Returns the dimension of an axis in a tensor with `added` further dimensions; nothing if the shape is not known or
/// has no such axis.
std::optional<std::size_t> dimensionOf(const ops::TensorFact *tensor, std::int64_t axis, std::size_t added = 0)
{
    return tensor && tensor->shape ? ops::dimension(axis, tensor->shape->size() + added) : std::nullopt;
}

Fact unknownShape(const ops::TensorFact *tensor) { return tensor ? Fact(ops::tensorFact(tensor->dtype)) : Fact(); }

} // namespace

void appendOpened(Facts &facts, const Fact &fact)
{
    const auto *list = fact.as<ops::SequenceFact>();
    if (list && list->items())
        facts.insert(facts.end(), list->items()->begin(), list->items()->end());
    else
        facts.push_back(fact);
}

Facts argumentsFrom(const ir::NodeRef &node, std::size_t first, const Values &values)
{
    Facts facts;
    for (std::size_t i = first; i < node->arguments.size(); ++i)
        appendOpened(facts, values.of(node->arguments[i].value));
    return facts;
}

Facts inputsOf(const ir::NodeRef &node, const Values &values)
{
    Facts facts;
    for (const ir::Argument &argument : node->arguments)
        if (argument.name == ir::NameId{})
            facts.push_back(values.of(argument.value));
    return facts;
}

Fact argumentOf(const ir::NodeRef &node, std::size_t position, const Values &values)
{
    return position < node->arguments.size() ? values.of(node->arguments[position].value) : Fact();
}

Fact factAt(std::span<const Fact> facts, std::size_t position)
{
    return position < facts.size() ? facts[position] : Fact();
}

Fact joinedOutput(const ir::NodeRef &node, std::size_t output, const Fact &a, const Fact &b)
{
    const bool isA = a.as<ops::NoneFact>(), isB = b.as<ops::NoneFact>();
    if (isA == isB || output >= node.outputCount() || canBeNone(node.output(output).type()))
        return ops::join(a, b);
    return isA ? b : a;
}

std::string reasonOf(const ir::Dim &count, const BoundedCost &cost)
{
    const bool isKnown = ops::isKnown(count) || (ops::isKnown(cost.cost.flops) && ops::isKnown(cost.cost.otherFlops));
    return isKnown ? "" : "how often it runs is not known";
}

void iterateUntilStable(Walk &walk, const Facts &carried, int maxIterations, const std::function<void()> &iterate)
{
    for (int i = 0; i < maxIterations; ++i) {
        const Facts before(carried.begin(), carried.end()); // a copy, since iterate() changes `carried`
        const std::uint64_t changes = walk.changeCount();
        iterate();
        if (carried == before && walk.changeCount() == changes)
            return;
    }
}

Fact withoutAxis(const Fact &fact, std::int64_t axis)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = dimensionOf(tensor, axis);
    if (!at)
        return unknownShape(tensor);
    ir::Shape shape = *tensor->shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*at));
    return ops::tensorFact(tensor->dtype, std::move(shape));
}

Fact withAxis(const Fact &fact, std::int64_t axis, const ir::Dim &size)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = dimensionOf(tensor, axis, 1);
    if (!at)
        return unknownShape(tensor);
    ir::Shape shape = *tensor->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), size);
    return ops::tensorFact(tensor->dtype, std::move(shape));
}

ir::Dim sizeAlong(const Fact &fact, std::int64_t axis)
{
    const auto *tensor = ops::asTensor(fact);
    const auto at = dimensionOf(tensor, axis);
    return at ? (*tensor->shape)[*at] : ir::Dim(ir::UnknownDim{});
}

} // namespace cutaway::analysis
