// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/ops/facts/dim_sum.h"
#include "core/request/example_sizes.h"
#include "core/run/node_times.h"
#include "views/session/measure.h"

#include <map>

namespace cutaway::views {

/// The number of nodes with a figure that is not known. Nodes in regions count, too, except for times.
struct MissingCosts {
    std::int64_t flops = 0, bytes = 0, seconds = 0;
    void add(const MissingCosts &more);
};

/// The costs of a node or of several that are added up as numbers.
struct CostNumbers {
    ir::Dim memory = ir::UnknownDim{};
    std::optional<double> memoryAtExample{};
    std::optional<double> seconds{};
    double secondsAtExample = 0; ///< the known part, formulas at the example sizes
    bool hasExampleSeconds = false;
    std::optional<double> measured{}; ///< the time that timed nodes took
    MissingCosts missing{};

    void add(const CostNumbers &more);
};

/// The costs of one node or box; unknown ones are an UnknownDim or nothing.
struct NodeCost : CostNumbers {
    ir::Dim flops = ir::UnknownDim{}, bytes = ir::UnknownDim{};
    ir::Dim flopsAtLeast = std::int64_t{0}, bytesAtLeast = std::int64_t{0}; ///< where they are not known
};

/// A sum of costs in progress.
struct CostSum : CostNumbers {
    ops::DimSum flops, bytes; ///< sums of what is known, with lower bounds for the rest
    bool knowsFlops = true, knowsBytes = true;

    CostSum() : CostNumbers{.memory = std::int64_t{0}, .memoryAtExample = 0, .seconds = 0} { }
    void add(const CostSum &other);
    void addUnknown();
    NodeCost total(ops::DimTotals &totals) const;
};

/// The costs of the nodes of a function: derived, predicted for a device, and measured. Costs of nodes are not kept:
/// for a hundred thousand nodes they would be as large as the model.
class NodeCosts {
public:
    /// `timing`: what was measured, or null.
    NodeCosts(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::Analysis> analysis,
              const analysis::Device &device, std::shared_ptr<const run::Timing> timing);

    /// Values for sizes that are open, at which formulas are shown.
    const request::ExampleSizes &examples() const { return m_examples; }
    /// The roofline of the costs that are known without example sizes.
    const analysis::Roofline &roofline() const { return m_roofline; }
    /// The roofline with formulas at the example sizes.
    const analysis::Roofline &rooflineAtExample() const { return m_atExample ? *m_atExample : m_roofline; }
    const run::NodeTimes &times() const { return m_times; }
    /// Returns the step at which a node of the body runs; for a node in a region, that of the enclosing node.
    std::optional<std::size_t> stepOf(ir::NodeId node) const { return m_steps[node.index]; }

    /// Returns the cost of a node that is there: all of it, or the part that one measure needs.
    NodeCost of(ir::NodeId node, std::optional<Measure> only = {}) const;
    void addTo(CostSum &sum, ir::NodeId node) const;
    /// Returns one measure of a cost, a formula with its value at the example sizes.
    Quantity quantity(const NodeCost &cost, Measure measure) const;
    /// Returns a quantity of the function with the value that its formula has at the example sizes.
    Quantity atExample(Quantity quantity) const;
    /// Returns the peak of memory at the example sizes; nothing if it is not known at a step.
    std::optional<double> peakAtExample() const;

private:
    CostNumbers numbersOf(ir::NodeId node) const;
    void findSteps();
    void findMissing();
    const ir::Graph &graph() const;

    std::shared_ptr<const ir::Model> m_model;
    std::shared_ptr<const analysis::Analysis> m_analysis;
    request::ExampleSizes m_examples;
    analysis::Roofline m_roofline;
    std::optional<analysis::Roofline> m_atExample; ///< nothing: no size is open
    run::NodeTimes m_times;
    std::vector<std::optional<double>> m_aliveAtExample; ///< live bytes by step; before the first, too
    std::vector<std::optional<std::size_t>> m_steps;     ///< by NodeId
    std::map<ir::NodeId, MissingCosts> m_missing;        ///< nodes in which a figure is not known, times left out
};

} // namespace cutaway::views
