// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/control_flow/iteration.h"
#include "core/analysis/propagation/symbols.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

/// prim::Loop and onnx::Loop: (maximal count, condition, carried…) with the region (counter, [condition,] carried…) →
/// (condition, carried…, scanned…). ONNX's region takes the condition, too, and its scanned results are stacked.
class Loop {
public:
    Loop(const ir::NodeRef &node, Walk &walk)
        : m_node(node),
          m_walk(walk),
          m_maxCount(ops::asInt(argumentOf(node, 0, walk))),
          m_limit(m_maxCount ? ops::number(*m_maxCount) : std::nullopt)
    {
        const Fact count = argumentOf(node, 0, walk), condition = argumentOf(node, 1, walk);
        const bool isCounted = !count.as<ops::NoneFact>();
        const std::optional<bool> starts = condition.as<ops::NoneFact>() ? true : ops::asBool(condition);
        for (std::size_t i = 2; i < node->arguments.size(); ++i)
            m_carried.push_back(walk.of(node->arguments[i].value));
        m_isCountDecisive = isCounted && starts == true;
        if (m_isReached && (m_limit || !isCounted || starts == false))
            m_goesOn = starts;
    }

    Outcome run()
    {
        unroll();
        if (!isOver())
            joinIterations();
        else if (m_done == 0) // a body that never runs is walked, too, so that its values have facts to show
            iterate(Reached::Never, ir::UnknownDim{});
        return outcome();
    }

private:
    bool isOver() const { return m_goesOn == false || (m_goesOn && m_limit && m_done >= *m_limit); }

    /// Propagates one iteration after the other while it is known that there is another one.
    void unroll()
    {
        for (; m_goesOn == true && !isOver() && m_done < maxUnrolledIterations; ++m_done) {
            const Facts ends = iterate(Reached::Certainly, m_done);
            m_cost = plus(m_cost, m_walk.costOf(region()));
            for (std::size_t i = 0; i < m_carried.size(); ++i)
                m_carried[i] = factAt(ends, i + 1);
            m_goesOn = ops::asBool(factAt(ends, 0));
        }
    }

    /// Walks all remaining iterations at once. In code that never runs, two are enough.
    void joinIterations()
    {
        iterateUntilStable(m_walk, m_carried, m_isReached ? maxJoinedIterations : 2, [this] {
            const Facts ends = iterate(Reached::Possibly, ir::UnknownDim{});
            for (std::size_t i = 0; i < m_carried.size(); ++i)
                m_carried[i] = joinedOutput(m_node, i, m_carried[i], factAt(ends, i + 1));
        });
    }

    /// Enters the region and returns the facts of its results.
    Facts iterate(Reached reached, const ir::Dim &counter)
    {
        const bool isOnnx = m_node.isOnnx();
        Facts inputs{isOnnx ? Fact(ops::scalarTensor(ir::DType::Int64, counter)) : Fact(ops::intFact(counter))};
        if (isOnnx)
            // The condition is true, as otherwise the iteration would not run.
            inputs.emplace_back(ops::scalarTensor(ir::DType::Bool, std::int64_t{1}));
        inputs.insert(inputs.end(), m_carried.begin(), m_carried.end());
        Facts ends = m_walk.enter(region(), inputs, reached);
        if (reached != Reached::Never || m_scanned.empty()) // code that never runs keeps a known slice
            m_scanned.assign(ends.begin() + static_cast<std::ptrdiff_t>(std::min(m_carried.size() + 1, ends.size())),
                             ends.end());
        if (reached != Reached::Never)
            m_isCountDecisive = m_isCountDecisive && ops::asBool(factAt(ends, 0)) == true;
        return ends;
    }

    ir::Dim count() const
    {
        if (isOver())
            return m_done;
        return m_isCountDecisive && m_maxCount ? ops::atLeastZero(*m_maxCount) : ir::UnknownDim{};
    }

    Outcome outcome()
    {
        const ir::Dim number = count();
        if (!isOver())
            m_cost = plus(m_cost, times(m_walk.costOf(region()), ops::minus(number, m_done)));
        for (const Fact &item : m_scanned)
            m_carried.push_back(withAxis(item, 0, ops::isKnown(number) ? number : m_walk.symbols().freshSize("turns")));
        std::string reason = reasonOf(number, m_cost);
        return {std::move(m_carried), std::move(m_cost), {}, std::move(reason)};
    }

    ir::RegionId region() const { return m_node->regions[0]; }

    const ir::NodeRef m_node;
    Walk &m_walk;
    const std::optional<ir::Dim> m_maxCount;   ///< the most iterations that the loop may have
    const std::optional<std::int64_t> m_limit; ///< m_maxCount, if it is a number
    const bool m_isReached = m_walk.reached() != Reached::Never;
    Facts m_carried;
    Facts m_scanned;              ///< the slices of the scanned results that the last iteration gave
    BoundedCost m_cost;           ///< the sum over the unrolled iterations, whose costs differ as their sizes do
    std::int64_t m_done = 0;      ///< iterations that were unrolled
    std::optional<bool> m_goesOn; ///< whether another iteration runs; nothing: not known
    bool m_isCountDecisive;       ///< whether only m_maxCount ends the loop, and no condition
};

} // namespace

Outcome runLoop(const ir::NodeRef &node, Walk &walk) { return Loop(node, walk).run(); }

} // namespace cutaway::analysis
