// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/sweep.h"

#include "core/analysis/binding.h"
#include "core/analysis/bounded_cost.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace cutaway::analysis {

namespace {

/// Formulas of one symbol. Many nodes have the same formula; each formula is computed once per value of the symbol.
class Formulas {
public:
    std::size_t add(const ir::Dim &dim)
    {
        const auto [index, isNew] = m_indices.emplace(ir::print(dim), m_formulas.size());
        if (isNew)
            m_formulas.push_back(dim);
        return index->second;
    }

    std::vector<ir::Dim> at(const symbolic::Bindings &bindings) const
    {
        std::vector<ir::Dim> values;
        values.reserve(m_formulas.size());
        for (const ir::Dim &formula : m_formulas)
            values.push_back(bound(formula, bindings));
        return values;
    }

private:
    std::vector<ir::Dim> m_formulas;
    std::unordered_map<std::string, std::size_t> m_indices;
};

/// The four figures of a cost, as pointers to members for loops over them.
std::array<ir::Dim ops::Cost::*, 4> figures()
{
    return {&ops::Cost::flops, &ops::Cost::otherFlops, &ops::Cost::bytesRead, &ops::Cost::bytesWritten};
}

class Sweeping {
public:
    Sweeping(const ir::Model &model, ir::FunctionId function, const Given &given, const Variation &variation,
             const Device *device, const Task &task)
        : m_model(model),
          m_given(given),
          m_variation(variation),
          m_device(device),
          m_task(task),
          m_analysis(analyse(model, function, given, task))
    {
    }

    Sweep run()
    {
        Sweep result{m_variation.symbol, {}};
        const bool byFormula = hasFormulas() && (noteFormulas(), formulasHold());
        for (const std::int64_t value : m_variation.values) {
            if (m_task.stopRequested())
                break;
            result.points.push_back(byFormula ? fromFormulas(value) : analysed(value));
        }
        return result;
    }

private:
    bool hasFormulas() const
    {
        const auto &body = m_model.at(m_analysis.function).graph.at(ir::Graph::body).nodes;
        return isKnownCost(m_analysis.totals.cost) && ops::isKnown(m_analysis.totals.peakBytes)
            && (!m_device
                || std::ranges::all_of(body, [&](ir::NodeId id) { return isKnownCost(m_analysis.costOf(id)); }));
    }

    void noteFormulas()
    {
        note(m_analysis.totals.cost);
        for (const ops::Cost &cost : m_analysis.shapes.costs.kept())
            if (m_device)
                note(cost);
        m_peak = m_formulas.add(m_analysis.totals.peakBytes);
    }

    void note(const ops::Cost &cost)
    {
        auto &indices = m_costs.emplace_back();
        std::ranges::transform(figures(), indices.begin(), [&](auto figure) { return m_formulas.add(cost.*figure); });
    }

    SweepPoint fromFormulas(std::int64_t value)
    {
        const auto values = m_formulas.at({{m_variation.symbol, value}});
        for (std::size_t i = 0; i < m_costs.size(); ++i) {
            ops::Cost &cost = i == 0 ? m_analysis.totals.cost : m_analysis.shapes.costs.kept()[i - 1];
            for (std::size_t k = 0; k < figures().size(); ++k)
                cost.*figures()[k] = values[m_costs[i][k]];
        }
        m_analysis.totals.peakBytes = values[m_peak];
        return point(value, m_analysis);
    }

    SweepPoint analysed(std::int64_t value)
    {
        Given given = m_given;
        given.bindings[m_variation.symbol] = value;
        m_last = m_last ? analyse(m_model, *m_last, std::move(given), m_task)
                        : analyse(m_model, m_analysis.function, std::move(given), m_task);
        return point(value, *m_last);
    }

    SweepPoint point(std::int64_t value, const Analysis &analysis) const
    {
        std::optional<double> seconds;
        if (m_device && analysis.totals.costUnknown == 0)
            if (const Roofline estimate = roofline(m_model, analysis, *m_device, 0); estimate.unknown == 0)
                seconds = estimate.seconds;
        const Totals &totals = analysis.totals;
        return {value,
                totals.cost,
                totals.peakBytes,
                seconds,
                boundedBy(totals.cost, totals.atLeast),
                ops::isKnown(totals.peakBytes) ? totals.peakBytes : totals.peakAtLeast,
                totals.costUnknown};
    }

    /// Whether the formulas give the same results as the analysis at chosen values of the symbol. A formula holds for
    /// sizes that fit together, which not every value gives, and sizes of 0 and 1 are broadcast and laid out in another
    /// way than larger ones.
    bool formulasHold()
    {
        const auto &values = m_variation.values;
        const auto isSpecial = [&](std::size_t i) {
            return values[i] <= 2 || i == 0 || i == values.size() / 2 || i + 1 == values.size();
        };
        for (std::size_t i = 0; i < values.size(); ++i)
            if (isSpecial(i) && fromFormulas(values[i]) != analysed(values[i]))
                return false;
        return true;
    }

    const ir::Model &m_model;
    const Given &m_given;
    const Variation &m_variation;
    const Device *m_device;
    const Task &m_task;
    /// The analysis with formulas; its costs are those of the point that was computed last.
    Analysis m_analysis;
    std::optional<Analysis> m_last; ///< the analysis at the last value that was analysed for itself
    Formulas m_formulas;
    /// Indices of formulas in m_formulas: first those of the total cost; then, if there is a device, those of each cost
    /// in NodeCosts::kept().
    std::vector<std::array<std::size_t, 4>> m_costs;
    std::size_t m_peak = 0;
};

} // namespace

bool SweepPoint::operator==(const SweepPoint &other) const
{
    return value == other.value && peakBytes == other.peakBytes && seconds == other.seconds
        && std::ranges::all_of(figures(), [&](auto figure) { return cost.*figure == other.cost.*figure; });
}

Sweep sweep(const ir::Model &model, ir::FunctionId function, const Given &given, const Variation &variation,
            const Device *device, const Task &task)
{
    return Sweeping(model, function, given, variation, device, task).run();
}

} // namespace cutaway::analysis
