// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/figures.h"

#include "core/analysis/assumed_inputs.h"
#include "core/analysis/counts.h"
#include "core/analysis/known_tensor.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/homes.h"
#include "core/ir/scope_tree.h"
#include "core/layout/describe.h"
#include "core/layout/knowledge.h"
#include "core/layout/outline.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/request/example_sizes.h"
#include "core/run/timing.h"
#include "views/session/selection.h"

#include <algorithm>

namespace cutaway::views {
namespace {

void addKnown(std::optional<double> &sum, std::optional<double> more)
{
    if (more)
        sum = sum.value_or(0) + *more;
}

} // namespace

ir::Dim larger(const ir::Dim &a, const ir::Dim &b)
{
    const auto x = ops::number(a), y = ops::number(b);
    return x && y ? ir::Dim(std::max(*x, *y)) : ir::Dim(ir::UnknownDim{});
}

Figures::Figures(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::Analysis> analysis,
                 analysis::Device device, std::shared_ptr<const run::Timing> timing)
    : m_model(std::move(model)),
      m_analysis(std::move(analysis)),
      m_device(std::move(device)),
      m_roofline(analysis::roofline(*m_model, *m_analysis, m_device,
                                    static_cast<double>(analysis::countTensors(*m_model).storageBytes))),
      m_times(std::move(timing), function().graph),
      m_timed(m_times.timing() ? m_times.timing()->sumOfMedians().value_or(0) : 0),
      m_sizes(*m_model, m_analysis->given.bindings),
      m_steps(function().graph.nodeCount())
{
    for (std::size_t i = 0; i < m_analysis->shapes.stops.size(); ++i)
        m_stops.emplace(m_analysis->shapes.stops[i].node, i);
    findSteps();
    for (std::uint32_t i = 0; i < function().graph.nodeCount(); ++i)
        m_nodes.push_back(costOf({i}));
    sumScopes();
    sumBoxes();
}

void Figures::findSteps()
{
    const ir::Graph &graph = function().graph;
    const auto &body = graph.at(ir::Graph::body).nodes;
    for (std::size_t i = 0; i < body.size(); ++i)
        m_steps[body[i].index] = i + 1;
    // The node around was made before those in its regions, or after: both are walked outwards.
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        std::optional<ir::NodeId> around = ir::NodeId{i};
        while (around && !m_steps[around->index])
            around = graph.at(*around).removed ? std::nullopt : graph.at(graph.at(*around).parent).owner;
        if (around)
            m_steps[i] = m_steps[around->index];
    }
}

Figures::Cost Figures::costOf(ir::NodeId node) const
{
    const ops::Cost cost = m_analysis->costOf(node);
    const auto step = m_steps[node.index];
    const auto &time = m_roofline.nodes[node.index];
    const ops::Cost atLeast = m_analysis->shapes.boundOf(node);
    return {cost.flops,
            ops::plus(cost.bytesRead, cost.bytesWritten),
            step ? m_analysis->memory.alive[*step] : ir::Dim(ir::UnknownDim{}),
            atLeast.flops,
            ops::plus(atLeast.bytesRead, atLeast.bytesWritten),
            time ? std::optional(time->seconds) : std::nullopt,
            time ? time->seconds : secondsAtLeast(node),
            m_times.of(node)};
}

double Figures::secondsAtLeast(ir::NodeId node) const
{
    const auto bound = m_roofline.atLeast.find(node);
    return bound == m_roofline.atLeast.end() ? 0 : bound->second;
}

void Figures::Sum::add(const Cost &cost)
{
    flops.add(cost.flops);
    bytes.add(cost.bytes);
    flopsAtLeast.add(cost.flopsAtLeast);
    bytesAtLeast.add(cost.bytesAtLeast);
    memory = larger(memory, cost.memory);
    seconds = seconds && cost.seconds ? std::optional(*seconds + *cost.seconds) : std::nullopt;
    secondsAtLeast += cost.secondsAtLeast;
    addKnown(measured, cost.measured);
}

void Figures::Sum::add(const Sum &other)
{
    flops.add(other.flops);
    bytes.add(other.bytes);
    flopsAtLeast.add(other.flopsAtLeast);
    bytesAtLeast.add(other.bytesAtLeast);
    memory = larger(memory, other.memory);
    seconds = seconds && other.seconds ? std::optional(*seconds + *other.seconds) : std::nullopt;
    secondsAtLeast += other.secondsAtLeast;
    addKnown(measured, other.measured);
}

void Figures::sumScopes()
{
    const ir::Graph &graph = function().graph;
    const ir::Context &context = *m_model->context;
    const std::size_t scopes = context.scopeCount();
    const std::vector<ir::ScopeId> homes = ir::homesOf(graph);
    std::vector<Sum> sums(scopes), alone(scopes); // alone: without what goes to the scope around
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        const auto owner = node.removed ? std::nullopt : graph.at(node.parent).owner;
        if (!node.removed && !owner)
            sums[homes[i].index].add(m_nodes[i]);
        // The node around a region has all of it in its own cost.
        for (ir::ScopeId scope = homes[i]; owner && !ir::isWithin(context, homes[owner->index], scope);
             scope = context.at(scope).parent)
            alone[scope.index].add(m_nodes[i]);
    }
    m_scopes.resize(scopes);
    for (auto i = static_cast<std::uint32_t>(scopes); i-- > 0;) {
        if (i > 0) // a scope is made after the one around it
            sums[context.at(ir::ScopeId{i}).parent.index].add(sums[i]);
        sums[i].add(alone[i]);
        m_scopes[i] = sums[i].total();
    }
}

void Figures::sumBoxes()
{
    const layout::Outline outline = layout::outlineOf(function(), false);
    std::vector<Sum> sums(outline.parts.size());
    for (std::size_t i = outline.parts.size(); i-- > 0;) {
        const layout::Part &part = outline.parts[i];
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject)) {
            sums[part.parent].add(m_nodes[node->index]);
            continue;
        }
        m_boxes.emplace(part.subject, sums[i].total());
        if (i > 0)
            sums[part.parent].add(sums[i]);
    }
}

Quantity Figures::quantity(const Cost &cost, Measure measure)
{
    switch (measure) {
    case Measure::Flops:
        return {unitOf(measure), cost.flops, cost.flopsAtLeast};
    case Measure::Bytes:
        return {unitOf(measure), cost.bytes, cost.bytesAtLeast};
    case Measure::Memory:
        return {unitOf(measure), cost.memory};
    case Measure::Time: {
        const bool isAtLeast = !cost.seconds && cost.secondsAtLeast > 0;
        Quantity time(unitOf(measure), isAtLeast ? std::optional(cost.secondsAtLeast) : cost.seconds);
        time.isAtLeast = isAtLeast;
        return time;
    }
    case Measure::Measured:
        break;
    }
    return {unitOf(measure), cost.measured};
}

bool Figures::has(ir::NodeId node) const
{
    const ir::Graph &graph = function().graph;
    return node.index < graph.nodeCount() && !graph.at(node).removed;
}

bool Figures::has(const layout::Subject &box) const
{
    const auto *node = std::get_if<ir::NodeId>(&box);
    return node ? has(*node) : m_boxes.contains(box);
}

Quantity Figures::of(ir::NodeId node, Measure measure) const
{
    return quantity(has(node) ? m_nodes[node.index] : Cost{}, measure);
}

Quantity Figures::of(const layout::Subject &box, Measure measure) const
{
    if (const auto *node = std::get_if<ir::NodeId>(&box))
        return of(*node, measure);
    if (const auto found = m_boxes.find(box); found != m_boxes.end())
        return quantity(found->second, measure);
    const auto *module = std::get_if<layout::ScopeSubject>(&box);
    return module ? of(module->scope, measure) // it has no box of its own
                  : Quantity(unitOf(measure), ir::Dim(ir::UnknownDim{}));
}

Quantity Figures::of(ir::ScopeId scope, Measure measure) const
{
    return quantity(scope.index < m_scopes.size() ? m_scopes[scope.index] : Cost{}, measure);
}

Quantity Figures::total(Measure measure) const
{
    const analysis::Totals &totals = m_analysis->totals;
    switch (measure) {
    case Measure::Flops:
        return {unitOf(measure), totals.cost.flops, totals.atLeast.flops};
    case Measure::Bytes:
        return {unitOf(measure), ops::plus(totals.cost.bytesRead, totals.cost.bytesWritten),
                ops::plus(totals.atLeast.bytesRead, totals.atLeast.bytesWritten)};
    case Measure::Memory:
        return {unitOf(measure), totals.peakBytes, totals.peakAtLeast};
    case Measure::Time: {
        Quantity time(unitOf(measure), std::optional(m_roofline.seconds));
        time.isAtLeast = m_roofline.unknown > 0;
        return time.isAtLeast && m_roofline.seconds == 0 ? Quantity(unitOf(measure), std::optional<double>()) : time;
    }
    case Measure::Measured:
        break;
    }
    return {unitOf(measure), m_times.timing() ? std::optional(m_times.timing()->whole.median) : std::nullopt};
}

std::vector<ir::NodeId> Figures::costliest(Measure measure, std::size_t count) const
{
    const request::ExampleSizes examples = request::exampleSizes(*m_model, *m_analysis);
    const ir::Graph &graph = function().graph;
    std::vector<std::pair<double, ir::NodeId>> known;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        if (graph.at(id).removed || !graph.at(id).regions.empty())
            continue;
        const Quantity quantity = of(id, measure);
        const auto *formula = std::get_if<symbolic::Expr>(&quantity.amount);
        const double amount = (formula ? examples.of(*formula) : quantity.number()).value_or(0);
        if (amount > 0)
            known.emplace_back(amount, id);
    }
    const auto most = known.begin() + std::ptrdiff_t(std::min(count, known.size()));
    std::ranges::partial_sort(known, most, [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second.index < b.second.index;
    });
    std::vector<ir::NodeId> found;
    for (const auto &[amount, id] : std::ranges::subrange(known.begin(), most))
        found.push_back(id);
    return found;
}

std::optional<double> Figures::shareOfTime(double seconds) const
{
    return m_timed > 0 ? std::optional(seconds / m_timed) : std::nullopt;
}

std::optional<double> Figures::measuredByPredicted(std::span<const ir::NodeId> nodes) const
{
    double measured = 0, predicted = 0;
    for (const ir::NodeId node : nodes) {
        measured += m_times.of(node).value_or(0);
        for (const ir::NodeId part : m_times.togetherWith(node)) {
            const auto seconds = of(part, Measure::Time).number();
            if (!seconds)
                return std::nullopt;
            predicted += *seconds;
        }
    }
    return measured > 0 && predicted > 0 ? std::optional(measured / predicted) : std::nullopt;
}

std::string Figures::typeText(ir::ValueId value) const
{
    if (value.index >= function().graph.valueCount())
        return {};
    const ir::TypeId type = function().graph.at(value).type;
    const ops::Fact &fact = m_analysis->shapes.of(value);
    if (const auto known = analysis::knownTensor(m_sizes, m_model->context->at(type), &fact))
        return layout::describeTensor(known->dtype, known->shape);
    if (fact.as<ops::AnyFact>() || fact.as<ops::ObjectFact>())
        return layout::describeType(*m_model->context, type);
    const std::string text = sanitized(ops::print(fact));
    constexpr std::size_t longest = 64;
    return text.size() <= longest ? text : layout::describeType(*m_model->context, type);
}

bool Figures::isRecorded(ir::ValueId value) const
{
    return value.index < m_analysis->shapes.isRecorded.size() && m_analysis->shapes.isRecorded[value.index];
}

const analysis::Stop *Figures::stopAt(ir::NodeId node) const
{
    const auto found = m_stops.find(node);
    return found == m_stops.end() ? nullptr : &m_analysis->shapes.stops[found->second];
}

std::vector<ir::Diagnostic> Figures::diagnostics() const
{
    std::vector<ir::Diagnostic> all = analysis::findings(*m_analysis);
    std::ranges::copy_if(m_model->diagnostics, std::back_inserter(all),
                         [](const ir::Diagnostic &diagnostic) { return diagnostic.code == analysis::assumedInput; });
    return all;
}

std::optional<std::size_t> Figures::stepOf(ir::NodeId node) const
{
    return has(node) ? m_steps[node.index] : std::nullopt;
}

std::optional<ir::NodeId> Figures::nodeAt(std::size_t step) const
{
    const auto &body = function().graph.at(ir::Graph::body).nodes;
    return step >= 1 && step <= body.size() ? std::optional(body[step - 1]) : std::nullopt;
}

layout::Knowledge knowledgeOf(const std::shared_ptr<const Figures> &figures)
{
    if (!figures)
        return {};
    return {[figures](ir::ValueId value) { return figures->typeText(value); },
            [figures](ir::NodeId node) {
                return figures->has(node) ? figures->analysis().costOf(node).flops : ir::Dim(std::int64_t{0});
            }};
}

} // namespace cutaway::views
