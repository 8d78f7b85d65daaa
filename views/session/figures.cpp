// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/figures.h"

#include "core/analysis/assumed_inputs.h"
#include "core/analysis/known_tensor.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/homes.h"
#include "core/ir/scope_tree.h"
#include "core/layout/describe.h"
#include "core/layout/knowledge.h"
#include "core/layout/module_rows.h"
#include "core/layout/outline.h"
#include "core/lint/lint.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/run/timing.h"
#include "views/parts/text.h"
#include "views/session/selection.h"

#include <QObject>
#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace cutaway::views {

Figures::Figures(std::shared_ptr<const ir::Model> model, lint::Origin origin,
                 std::shared_ptr<const analysis::Analysis> analysis, analysis::Device device,
                 std::shared_ptr<const run::Timing> timing)
    : m_model(std::move(model)),
      m_origin(origin),
      m_analysis(std::move(analysis)),
      m_device(std::move(device)),
      m_costs(m_model, m_analysis, m_device, std::move(timing)),
      m_timed(times().timing() ? times().timing()->sumOfMedians().value_or(0) : 0),
      m_sizes(*m_model, m_analysis->given.bindings)
{
    for (std::size_t i = 0; i < m_analysis->shapes.stops.size(); ++i)
        m_stops.emplace(m_analysis->shapes.stops[i].node, i);
    ops::DimTotals totals;
    sumScopes(totals);
    sumBoxes(totals);
    findCostliest();
}

void Figures::sumScopes(ops::DimTotals &totals)
{
    const ir::Graph &graph = function().graph;
    const ir::Context &context = *m_model->context;
    const std::size_t scopes = context.scopeCount();
    const std::vector<ir::ScopeId> homes = ir::homesOf(graph);
    std::vector<CostSum> sums(scopes);
    std::map<ir::ScopeId, CostSum> alone; // by scope: the sum of nodes in regions whose owner is outside of the scope
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        const auto owner = node.removed ? std::nullopt : graph.at(node.parent).owner;
        if (!node.removed && !owner)
            m_costs.addTo(sums[homes[i].index], {i});
        // The node that owns a region has the cost of the region's nodes already. They are added only to modules that
        // are called within the region, which do not contain that node.
        for (ir::ScopeId scope = homes[i]; owner && !ir::isWithin(context, homes[owner->index], scope);
             scope = context.at(scope).parent)
            m_costs.addTo(alone[scope], {i});
    }
    m_scopes.resize(scopes);
    for (auto i = static_cast<std::uint32_t>(scopes); i-- > 0;) {
        if (i > 0) // a scope has a higher number than its parent, so it is complete before it is added to its parent
            sums[context.at(ir::ScopeId{i}).parent.index].add(sums[i]);
        if (const auto own = alone.find(ir::ScopeId{i}); own != alone.end())
            sums[i].add(own->second);
        m_scopes[i] = sums[i].total(totals);
    }
}

void Figures::sumBoxes(ops::DimTotals &totals)
{
    const layout::Outline outline = layout::outlineOf(function(), false);
    std::map<std::uint32_t, CostSum> sums; // by part: the sums that are not complete yet
    std::vector<std::uint32_t> members(outline.parts.size(), 0);
    for (auto i = static_cast<std::uint32_t>(outline.parts.size()); i-- > 0;) {
        const layout::Part &part = outline.parts[i];
        const bool isGroup = std::holds_alternative<layout::GroupSubject>(part.subject);
        if (part.repeats)
            m_members.emplace(part.subject, members[i]);
        members[part.parent] += isGroup ? members[i] : 1; // a group within a group counts as the number of its members
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject)) {
            m_costs.addTo(sums[part.parent], *node);
            continue;
        }
        const CostSum sum = std::move(sums[i]);
        sums.erase(i);
        m_boxes.emplace(part.subject, sum.total(totals));
        if (i > 0)
            sums[part.parent].add(sum);
    }
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
    Quantity amount = m_costs.quantity(has(node) ? m_costs.of(node, measure) : NodeCost{}, measure);
    if (measure == Measure::Time || (has(node) && function().graph.at(node).regions.empty()))
        amount.missing = 0; // the figure of a single node is not a sum, so no parts are missing
    return amount;
}

Quantity Figures::sum(std::span<const ir::NodeId> nodes, Measure measure) const
{
    CostSum sum;
    for (const ir::NodeId node : nodes)
        if (has(node))
            m_costs.addTo(sum, node);
        else
            sum.addUnknown();
    ops::DimTotals totals;
    return m_costs.quantity(sum.total(totals), measure);
}

std::vector<std::string> Figures::openSymbols() const
{
    std::vector<std::string> names;
    for (const ir::Symbol &symbol : m_model->symbols)
        if (examples().bindings.contains(symbol.name))
            names.push_back(symbol.name);
    return names;
}

QString Figures::exactText(const Quantity &quantity) const
{
    const QString exact = quantity.exactText();
    const bool isExample = quantity.example && !quantity.number() && !examples().note.empty();
    return isExample ? QObject::tr("%1\n~ is with %2").arg(exact, shown(examples().note)) : exact;
}

Quantity Figures::of(const layout::Subject &box, Measure measure) const
{
    if (const auto *node = std::get_if<ir::NodeId>(&box))
        return of(*node, measure);
    if (const auto found = m_boxes.find(box); found != m_boxes.end())
        return m_costs.quantity(found->second, measure);
    const auto *module = std::get_if<layout::ScopeSubject>(&box);
    return module ? of(module->scope, measure) // the module of a single node has no box of its own
                  : Quantity(unitOf(measure), ir::Dim(ir::UnknownDim{}));
}

std::uint32_t Figures::membersOf(const layout::Subject &box) const
{
    const auto found = m_members.find(box);
    return found == m_members.end() ? 1 : found->second;
}

Quantity Figures::of(ir::ScopeId scope, Measure measure) const
{
    return m_costs.quantity(scope.index < m_scopes.size() ? m_scopes[scope.index] : NodeCost{}, measure);
}

Quantity Figures::of(const layout::ModuleRow &row, Measure measure) const
{
    const auto *found = std::get_if<layout::FoundSubject>(&row.subject);
    return found ? of(layout::Subject(*found), measure)
                 : of(std::get<layout::ScopeSubject>(row.subject).scope, measure);
}

Quantity Figures::total(Measure measure) const
{
    const analysis::Totals &totals = m_analysis->totals;
    NodeCost all{{},
                 totals.cost.flops,
                 ops::plus(totals.cost.bytesRead, totals.cost.bytesWritten),
                 totals.atLeast.flops,
                 ops::plus(totals.atLeast.bytesRead, totals.atLeast.bytesWritten)};
    all.secondsAtExample = rooflineAtExample().seconds;
    all.hasExampleSeconds = m_scopes.front().hasExampleSeconds;
    all.missing = m_scopes.front().missing;
    if (m_costs.roofline().unknown == 0)
        all.seconds = m_costs.roofline().seconds;
    if (times().timing())
        all.measured = times().timing()->whole.median;
    if (measure != Measure::Memory)
        return m_costs.quantity(all, measure);
    Quantity peak(unitOf(measure), totals.peakBytes, totals.peakAtLeast);
    peak.example = peak.isAtLeast ? examples().of(totals.peakAtLeast) : m_costs.peakAtExample();
    return peak;
}

void Figures::findCostliest()
{
    constexpr std::size_t most = 10;
    const ir::Graph &graph = function().graph;
    struct Amount {
        double amount;
        ir::NodeId node;
        bool operator>(const Amount &other) const
        {
            return amount != other.amount ? amount > other.amount : node < other.node;
        }
    };
    std::array<std::set<Amount, std::greater<>>, allMeasures.size()> found;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        if (graph.at(id).removed || !graph.at(id).regions.empty())
            continue;
        const NodeCost cost = m_costs.of(id);
        for (const Measure measure : allMeasures) {
            auto &best = found[std::size_t(measure)];
            const Amount amount{m_costs.quantity(cost, measure).numberOrExample().value_or(0), id};
            if (amount.amount <= 0 || (best.size() == most && !(amount > *best.rbegin())))
                continue;
            best.insert(amount);
            if (best.size() > most)
                best.erase(std::prev(best.end()));
        }
    }
    for (const Measure measure : allMeasures)
        for (const Amount &each : found[std::size_t(measure)])
            m_costliest[std::size_t(measure)].push_back(each.node);
}

std::optional<double> Figures::shareOfTime(double seconds) const
{
    return m_timed > 0 ? std::optional(seconds / m_timed) : std::nullopt;
}

std::optional<double> Figures::measuredByPredicted(std::span<const ir::NodeId> nodes) const
{
    double measured = 0, predicted = 0;
    for (const ir::NodeId node : nodes) {
        measured += times().of(node).value_or(0);
        for (const ir::NodeId part : times().togetherWith(node)) {
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
    return layout::describeKnown(*m_model, *m_analysis, m_sizes, value);
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

std::vector<ir::Diagnostic> Figures::diagnosticsAndFindings(const Task &task) const
{
    std::vector<ir::Diagnostic> all = diagnostics();
    std::ranges::move(lint::diagnostics(*m_model, *m_analysis, m_origin, task), std::back_inserter(all));
    return all;
}

std::optional<std::size_t> Figures::stepOf(ir::NodeId node) const
{
    return has(node) ? m_costs.stepOf(node) : std::nullopt;
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
