// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/node_costs.h"

#include "core/analysis/counts.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::views {
namespace {

void addKnown(std::optional<double> &sum, std::optional<double> more)
{
    if (more)
        sum = sum.value_or(0) + *more;
}

std::optional<double> larger(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

/// Returns the larger amount; unknown unless both are numbers, since a maximum of formulas would be unreadable.
ir::Dim larger(const ir::Dim &a, const ir::Dim &b)
{
    const auto x = ops::number(a), y = ops::number(b);
    return x && y ? ir::Dim(std::max(*x, *y)) : ir::Dim(ir::UnknownDim{});
}

double weightBytes(const ir::Model &model) { return static_cast<double>(analysis::countTensors(model).storageBytes); }

/// Returns the predicted time of a node, or a lower bound if some of its costs are unknown.
double secondsOf(const analysis::Roofline &roofline, ir::NodeId node)
{
    if (const auto &time = roofline.nodes[node.index])
        return time->seconds;
    const auto bound = roofline.atLeast.find(node);
    return bound == roofline.atLeast.end() ? 0 : bound->second;
}

} // namespace

NodeCosts::NodeCosts(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::Analysis> analysis,
                     const analysis::Device &device, std::shared_ptr<const run::Timing> timing)
    : m_model(std::move(model)),
      m_analysis(std::move(analysis)),
      m_examples(request::exampleSizes(*m_model, *m_analysis)),
      m_roofline(analysis::roofline(*m_model, *m_analysis, device, weightBytes(*m_model))),
      m_times(std::move(timing), graph()),
      m_steps(graph().nodeCount())
{
    if (!m_examples.bindings.empty())
        m_atExample = analysis::roofline(*m_model, *m_analysis, device, weightBytes(*m_model), m_examples.bindings);
    for (const ir::Dim &alive : m_analysis->memory.alive)
        m_aliveAtExample.push_back(m_examples.of(alive));
    findSteps();
    findMissing();
}

const ir::Graph &NodeCosts::graph() const { return m_model->at(m_analysis->function).graph; }

void NodeCosts::findSteps()
{
    const ir::Graph &graph = this->graph();
    const auto &body = graph.at(ir::Graph::body).nodes;
    for (std::size_t i = 0; i < body.size(); ++i)
        m_steps[body[i].index] = i + 1;
    // Nodes in regions get the step of the node of the body around them, which may have a higher or a lower number.
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        std::optional<ir::NodeId> around = ir::NodeId{i};
        while (around && !m_steps[around->index])
            around = graph.at(*around).removed ? std::nullopt : graph.at(graph.at(*around).parent).owner;
        if (around)
            m_steps[i] = m_steps[around->index];
    }
}

CostNumbers NodeCosts::numbersOf(ir::NodeId node) const
{
    const auto step = m_steps[node.index];
    const auto &time = m_roofline.nodes[node.index];
    const double atExample = secondsOf(rooflineAtExample(), node);
    const auto missing = m_missing.find(node);
    CostNumbers numbers{.memory = step ? m_analysis->memory.alive[*step] : ir::Dim(ir::UnknownDim{}),
                        .memoryAtExample = step ? m_aliveAtExample[*step] : std::nullopt,
                        .seconds = time ? std::optional(time->seconds) : std::nullopt,
                        .secondsAtExample = atExample,
                        .hasExampleSeconds = !time && atExample > secondsOf(m_roofline, node),
                        .measured = m_times.of(node),
                        .missing = missing == m_missing.end() ? MissingCosts{} : missing->second};
    numbers.missing.seconds = rooflineAtExample().nodes[node.index] ? 0 : 1;
    return numbers;
}

NodeCost NodeCosts::of(ir::NodeId node, std::optional<Measure> only) const
{
    const ops::Cost cost = m_analysis->costOf(node);
    const ops::Cost atLeast = m_analysis->shapes.boundOf(node);
    NodeCost all{numbersOf(node), cost.flops, ir::UnknownDim{}, atLeast.flops, std::int64_t{0}};
    if (only.value_or(Measure::Bytes) == Measure::Bytes) {
        all.bytes = ops::plus(cost.bytesRead, cost.bytesWritten);
        all.bytesAtLeast = ops::plus(atLeast.bytesRead, atLeast.bytesWritten);
    }
    return all;
}

void NodeCosts::addTo(CostSum &sum, ir::NodeId node) const
{
    const ops::Cost cost = m_analysis->costOf(node);
    const ops::Cost atLeast = m_analysis->shapes.boundOf(node);
    sum.CostNumbers::add(numbersOf(node));
    sum.flops.add(atLeast.flops);
    sum.bytes.add(atLeast.bytesRead);
    sum.bytes.add(atLeast.bytesWritten);
    sum.knowsFlops = sum.knowsFlops && ops::isKnown(cost.flops);
    sum.knowsBytes = sum.knowsBytes && ops::isKnown(cost.bytesRead) && ops::isKnown(cost.bytesWritten);
}

/// Counts each node with an unknown cost as missing from itself and from all nodes around it.
void NodeCosts::findMissing()
{
    const ir::Graph &graph = this->graph();
    for (const analysis::Stop &stop : m_analysis->shapes.stops) {
        if (!stop.hidesCost || !stop.isReached)
            continue;
        const NodeCost own = of(stop.node);
        const MissingCosts one{.flops = ops::isKnown(own.flops) ? 0 : 1, .bytes = ops::isKnown(own.bytes) ? 0 : 1};
        for (std::optional<ir::NodeId> at = stop.node; at; at = graph.at(graph.at(*at).parent).owner)
            m_missing[*at].add(one);
    }
}

void MissingCosts::add(const MissingCosts &more)
{
    flops += more.flops;
    bytes += more.bytes;
    seconds += more.seconds;
}

void CostNumbers::add(const CostNumbers &more)
{
    memory = larger(memory, more.memory);
    memoryAtExample = larger(memoryAtExample, more.memoryAtExample);
    seconds = seconds && more.seconds ? std::optional(*seconds + *more.seconds) : std::nullopt;
    secondsAtExample += more.secondsAtExample;
    hasExampleSeconds |= more.hasExampleSeconds;
    addKnown(measured, more.measured);
    missing.add(more.missing);
}

void CostSum::add(const CostSum &other)
{
    CostNumbers::add(other);
    flops.add(other.flops);
    bytes.add(other.bytes);
    knowsFlops = knowsFlops && other.knowsFlops;
    knowsBytes = knowsBytes && other.knowsBytes;
}

void CostSum::addUnknown()
{
    CostNumbers::add({});
    knowsFlops = knowsBytes = false;
}

NodeCost CostSum::total(ops::DimTotals &totals) const
{
    const ir::Dim &allFlops = totals.of(flops);
    const ir::Dim &allBytes = totals.of(bytes);
    const CostNumbers &numbers = *this;
    return {numbers, knowsFlops ? allFlops : ir::UnknownDim{}, knowsBytes ? allBytes : ir::UnknownDim{}, allFlops,
            allBytes};
}

Quantity NodeCosts::quantity(const NodeCost &cost, Measure measure) const
{
    const auto counted = [&](const ir::Dim &dim, const ir::Dim &atLeast, std::int64_t missing) {
        Quantity quantity(unitOf(measure), dim, atLeast);
        quantity.missing = ops::isKnown(dim) ? 0 : missing;
        return atExample(std::move(quantity));
    };
    switch (measure) {
    case Measure::Flops:
        return counted(cost.flops, cost.flopsAtLeast, cost.missing.flops);
    case Measure::Bytes:
        return counted(cost.bytes, cost.bytesAtLeast, cost.missing.bytes);
    case Measure::Memory: {
        Quantity memory(unitOf(measure), cost.memory);
        memory.example = cost.memoryAtExample;
        return memory;
    }
    case Measure::Time: {
        Quantity time(unitOf(measure), cost.seconds);
        if (cost.seconds || (cost.missing.seconds > 0 && cost.secondsAtExample == 0)) {
            time.missing = cost.seconds ? 0 : cost.missing.seconds;
            return time;
        }
        if (cost.hasExampleSeconds)
            time.example = cost.secondsAtExample;
        else
            time.amount = cost.secondsAtExample;
        time.isAtLeast = cost.missing.seconds > 0;
        time.missing = cost.missing.seconds;
        return time;
    }
    case Measure::Measured:
        break;
    }
    return {unitOf(measure), cost.measured};
}

Quantity NodeCosts::atExample(Quantity quantity) const
{
    const auto *formula = std::get_if<symbolic::Expr>(&quantity.amount);
    if (formula && !quantity.example)
        quantity.example = m_examples.of(*formula);
    return quantity;
}

std::optional<double> NodeCosts::peakAtExample() const
{
    std::optional<double> peak = 0;
    for (const std::optional<double> &alive : m_aliveAtExample)
        peak = larger(peak, alive);
    return peak;
}

} // namespace cutaway::views
