// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/node_findings.h"

#include "core/analysis/known_tensor.h"
#include "core/ops/facts/dim_sum.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

class CostSum {
public:
    void add(const ops::Cost &cost)
    {
        m_flops.add(cost.flops);
        m_otherFlops.add(cost.otherFlops);
        m_bytesRead.add(cost.bytesRead);
        m_bytesWritten.add(cost.bytesWritten);
    }
    ops::Cost total() const
    {
        return {m_flops.total(), m_otherFlops.total(), m_bytesRead.total(), m_bytesWritten.total()};
    }

private:
    ops::DimSum m_flops, m_otherFlops, m_bytesRead, m_bytesWritten;
};

} // namespace

bool isOpenNumber(const ops::Fact &fact)
{
    const auto *number = fact.as<ops::NumberFact>();
    return number && number->kind == ops::NumberFact::Kind::Int
        && std::holds_alternative<std::monostate>(number->value);
}

Stop::Results NodeFindings::resultsOf(const ir::NodeRef &node) const
{
    bool isRecorded = false;
    for (const ir::ValueRef output : node.outputs()) {
        const ops::Fact &fact = of(output.id());
        bool isKnown = isWhollyKnown(fact, output.type()) && !isOpenNumber(fact);
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            isKnown = isKnown && tensor.dtype && tensor.shape && std::ranges::all_of(*tensor.shape, ops::isKnown);
        });
        if (!isKnown)
            return Stop::Results::Unknown;
        isRecorded = isRecorded || m_shapes.isRecorded[output.id().index];
    }
    return isRecorded ? Stop::Results::Recorded : Stop::Results::Known;
}

void NodeFindings::setBoundedCost(ir::NodeId node, BoundedCost cost)
{
    if (cost.atLeast)
        m_shapes.bounds.insert_or_assign(node, std::move(*cost.atLeast));
    else
        m_shapes.bounds.erase(node);
    setCost(node, std::move(cost.cost));
}

void NodeFindings::setUnknownCost(ir::NodeId node)
{
    setCost(node, {ir::UnknownDim{}, ir::UnknownDim{}, ir::UnknownDim{}, ir::UnknownDim{}});
}

BoundedCost NodeFindings::costOf(ir::RegionId region) const
{
    CostSum sum;
    bool isExact = true;
    for (const ir::NodeId id : m_graph.at(region).nodes) {
        const ops::Cost &cost = m_shapes.costs[id.index];
        sum.add(cost);
        isExact = isExact && isKnownCost(cost) && (m_shapes.bounds.empty() || !m_shapes.bounds.contains(id));
    }
    if (isExact)
        return {sum.total()};
    CostSum atLeast;
    for (const ir::NodeId id : m_graph.at(region).nodes)
        if (const auto bound = m_shapes.bounds.find(id); bound != m_shapes.bounds.end())
            atLeast.add(bound->second);
        else
            atLeast.add(knownPart(m_shapes.costs[id.index]));
    return {sum.total(), atLeast.total()};
}

void NodeFindings::stop(Stop stop, Reached reached)
{
    if (m_stopped[stop.node.index])
        return;
    m_stopped[stop.node.index] = true;
    stop.isReached = reached != Reached::Never;
    m_shapes.stops.push_back(std::move(stop));
}

/// Notes also that no size of a result may be negative, for whatever rule the size comes from.
void NodeFindings::noteNeeds(const ir::NodeRef &node, const ops::SizeNeeds &needs, const ops::Facts &results)
{
    for (const ops::SizeNeed &need : needs)
        m_shapes.needs.push_back({node, need});
    const auto noteSize = [&](const ir::Dim &size) {
        const auto *formula = std::get_if<symbolic::Expr>(&size);
        if (formula && formula->range().min < 0 && m_needed.emplace(formula->identity(), *formula).second)
            m_shapes.needs.push_back({node, {ops::SizeNeed::Kind::AtLeast, size, ops::zero}});
    };
    for (const ops::Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (tensor.shape)
                std::ranges::for_each(*tensor.shape, noteSize);
        });
}

/// A rule that knows its FLOPs returns them, so only other operations become unknown with the shapes that they are
/// counted from.
void NodeFindings::noteUnknown(const ir::NodeRef &node, const ops::Operator &row,
                               const std::optional<ops::Doubt> &doubt, Reached reached)
{
    ops::Cost cost = m_shapes.costs[node.id().index];
    if (doubt) {
        const Stop::Results results = resultsOf(node);
        const bool readsKnown = readsOnlyKnown(node);
        const bool isDoubtful = row.cost && (results == Stop::Results::Unknown || !readsKnown);
        if (isDoubtful && ops::number(cost.otherFlops) == 0 && ops::number(cost.flops) == 0)
            cost.otherFlops = ir::UnknownDim{};
        const bool hidesCost = !ops::isKnown(cost.flops) || !ops::isKnown(cost.otherFlops);
        if (results == Stop::Results::Unknown && ops::number(cost.bytesWritten) == 0)
            cost.bytesRead = cost.bytesWritten = ir::UnknownDim{};
        if (!readsKnown && ops::number(cost.bytesWritten) != 0)
            cost.bytesRead = ir::UnknownDim{};
        stop({node, doubt->reason, results, doubt->kind == ops::Doubt::Kind::Wrong, hidesCost}, reached);
        setCost(node, std::move(cost));
    } else if (!ops::isKnown(cost.flops) || !ops::isKnown(cost.otherFlops))
        stop({node, readsOnlyKnown(node) ? "number of operations unknown" : "depends on an unknown dimension",
              Stop::Results::Known},
             reached);
}

bool NodeFindings::readsOnlyKnown(const ir::NodeRef &node) const
{
    bool isKnown = true;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            isKnown = isKnown && isWhollyKnown(of(value), ir::ValueRef(m_graph, value).type());
        });
    return isKnown;
}

} // namespace cutaway::analysis
