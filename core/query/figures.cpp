// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/figures.h"

#include "core/analysis/saturating.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <limits>
#include <set>

namespace cutaway::query {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

void addParameters(std::set<ir::TensorId> &found, const analysis::ParameterReads &reads, const ir::NodeRef &node)
{
    reads.forEach(node.graph().at(node.id()), [&](ir::TensorId parameter) { found.insert(parameter); });
    for (const ir::RegionId region : node->regions)
        for (const ir::NodeRef inner : ir::nodesOf(node.graph(), region))
            addParameters(found, reads, inner);
}

/// Returns the limits of a size: its value at the example, or those that follow from its symbols' ranges.
Limits limitsOfSize(const ir::Dim &size, double least, const symbolic::Bindings *example)
{
    if (const auto *number = std::get_if<std::int64_t>(&size))
        return {static_cast<double>(*number), static_cast<double>(*number)};
    const auto *formula = std::get_if<symbolic::Expr>(&size);
    if (!formula || !formula->isIntegral())
        return {least, endless};
    if (const auto value = example ? symbolic::substitute(*formula, *example) : *formula;
        value && value->kind() == symbolic::Kind::Integer)
        return limitsOfSize(value->integerValue(), least, nullptr);
    const symbolic::Range &range = formula->range();
    const bool isOpen = range.max == std::numeric_limits<std::int64_t>::max();
    return {std::max(least, static_cast<double>(range.min)), isOpen ? endless : static_cast<double>(range.max)};
}

} // namespace

Match Limits::is(Comparison::Sign sign, double number) const
{
    const auto decide = [](bool surely, bool never) {
        return surely ? Match::Yes : never ? Match::No : Match::Unknown;
    };
    switch (sign) {
    case Comparison::Sign::Less:
        return decide(most < number, least >= number);
    case Comparison::Sign::LessEqual:
        return decide(most <= number, least > number);
    case Comparison::Sign::Greater:
        return decide(least > number, most <= number);
    case Comparison::Sign::GreaterEqual:
        return decide(least >= number, most < number);
    case Comparison::Sign::NotEqual:
        return opposite(is(Comparison::Sign::Equal, number));
    case Comparison::Sign::Equal:
        break;
    }
    return decide(least == number && most == number, number < least || number > most);
}

Figures::Figures(const Known &known)
    : m_known(known),
      m_reads(known.model, known.graph()),
      m_steps(known.graph().nodeCount())
{
    findSteps(ir::Graph::body, {});
}

void Figures::findSteps(ir::RegionId region, std::optional<std::size_t> step)
{
    const ir::Graph &graph = m_known.graph();
    std::size_t own = 0;
    for (const ir::NodeId node : graph.at(region).nodes) {
        ++own; // step 0 is the beginning, when only the inputs are there
        m_steps[node.index] = step ? *step : own;
        for (const ir::RegionId inner : graph.at(node).regions)
            findSteps(inner, m_steps[node.index]);
    }
}

ir::Dim Figures::parametersOf(ir::NodeId node) const
{
    std::set<ir::TensorId> parameters;
    addParameters(parameters, m_reads, {m_known.graph(), node});
    std::int64_t sum = 0;
    for (const ir::TensorId parameter : parameters) {
        const auto elements = ir::elementCount(m_known.model.at(parameter));
        if (!elements)
            return ir::UnknownDim{};
        analysis::addSaturating(sum, elements);
    }
    return sum == analysis::saturated ? ir::Dim(ir::UnknownDim{}) : ir::Dim(sum);
}

ir::Dim Figures::sizeOf(Property figure, ir::NodeId node) const
{
    const ops::Cost &cost = m_known.analysis.costOf(node);
    switch (figure) {
    case Property::Flops:
        return cost.flops;
    case Property::OtherFlops:
        return cost.otherFlops;
    case Property::Bytes:
        return ops::plus(cost.bytesRead, cost.bytesWritten);
    case Property::Params:
        return parametersOf(node);
    case Property::Memory: {
        const std::vector<ir::Dim> &alive = m_known.analysis.memory.alive;
        const auto step = stepOf(node);
        return step && *step < alive.size() ? alive[*step] : ir::Dim(ir::UnknownDim{});
    }
    default:
        return ir::UnknownDim{};
    }
}

double Figures::leastOf(Property figure, ir::NodeId node) const
{
    const auto known = [](const ir::Dim &size) { return static_cast<double>(ops::number(size).value_or(0)); };
    const ops::Cost bound = m_known.analysis.shapes.boundOf(node);
    switch (figure) {
    case Property::Flops:
        return known(bound.flops);
    case Property::OtherFlops:
        return known(bound.otherFlops);
    case Property::Bytes:
        return known(bound.bytesRead) + known(bound.bytesWritten);
    default:
        return 0;
    }
}

std::optional<double> Figures::secondsOf(Property time, ir::NodeId node) const
{
    if (time == Property::Measured)
        return m_known.measured ? m_known.measured(node) : std::nullopt;
    const bool isKnown = m_known.roofline && m_known.roofline->nodes[node.index];
    return isKnown ? std::optional(m_known.roofline->nodes[node.index]->seconds) : std::nullopt;
}

Limits Figures::limitsOf(Property figure, ir::NodeId node) const
{
    if (rowOf(figure).unit != Unit::Second)
        return limitsOfSize(sizeOf(figure, node), leastOf(figure, node), m_known.example);
    if (const auto seconds = secondsOf(figure, node))
        return {*seconds, *seconds};
    if (figure == Property::Time && m_known.roofline)
        if (const auto bound = m_known.roofline->atLeast.find(node); bound != m_known.roofline->atLeast.end())
            return {bound->second, endless};
    return {0, endless};
}

} // namespace cutaway::query
