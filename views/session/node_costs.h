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

/// How many nodes have an unknown figure. Nodes in regions count, too, except for times.
struct MissingCosts {
    std::int64_t flops = 0, bytes = 0, seconds = 0;
    void add(const MissingCosts &more);
};

/// Costs that are added up as numbers, of one or of several nodes.
struct CostNumbers {
    ir::Dim memory = ir::UnknownDim{};
    std::optional<double> memoryAtExample{};
    std::optional<double> seconds{};
    double secondsAtExample = 0; ///< the sum of known times, those of formulas at the example sizes
    bool hasExampleSeconds = false;
    std::optional<double> measured{}; ///< the measured time of the nodes that were timed; nothing if none was
    MissingCosts missing{};

    void add(const CostNumbers &more);
};

/// The costs of one node or box. An unknown cost is an UnknownDim or nothing.
struct NodeCost : CostNumbers {
    ir::Dim flops = ir::UnknownDim{}, bytes = ir::UnknownDim{};
    /// Lower bounds of `flops` and `bytes` if these are unknown.
    ir::Dim flopsAtLeast = std::int64_t{0}, bytesAtLeast = std::int64_t{0};
};

/// A sum of costs to which more can be added.
struct CostSum : CostNumbers {
    ops::DimSum flops, bytes; ///< sums of the known costs, and of the lower bounds of the others
    bool knowsFlops = true, knowsBytes = true;

    CostSum() : CostNumbers{.memory = std::int64_t{0}, .memoryAtExample = 0, .seconds = 0} { }
    void add(const CostSum &other);
    void addUnknown();
    NodeCost total(ops::DimTotals &totals) const;
};

/// The costs of the nodes of a function: derived, predicted for a device, and measured. They are computed when asked
/// for, since those of a hundred thousand nodes would be as large as the model.
class NodeCosts {
public:
    /// `timing` has the measured times; null if there are none.
    NodeCosts(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::Analysis> analysis,
              const analysis::Device &device, std::shared_ptr<const run::Timing> timing);

    /// Returns the values for open sizes at which formulas are evaluated.
    const request::ExampleSizes &examples() const { return m_examples; }
    /// Returns the roofline of the costs that are known without example sizes.
    const analysis::Roofline &roofline() const { return m_roofline; }
    /// Returns the roofline in which formulas are evaluated at the example sizes.
    const analysis::Roofline &rooflineAtExample() const { return m_atExample ? *m_atExample : m_roofline; }
    const run::NodeTimes &times() const { return m_times; }
    /// Returns the step at which a node of the body runs; for a node in a region, that of the enclosing node.
    std::optional<std::size_t> stepOf(ir::NodeId node) const { return m_steps[node.index]; }

    /// Returns the costs of a node that was not removed: all of them, or those that the measure `only` needs.
    NodeCost of(ir::NodeId node, std::optional<Measure> only = {}) const;
    void addTo(CostSum &sum, ir::NodeId node) const;
    /// Returns one measure of a cost, a formula with its value at the example sizes.
    Quantity quantity(const NodeCost &cost, Measure measure) const;
    /// Returns a quantity of the function with the value that its formula has at the example sizes.
    Quantity atExample(Quantity quantity) const;
    /// Returns the peak memory at the example sizes; nothing if the live memory of some step is unknown.
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
    std::vector<std::optional<double>> m_aliveAtExample; ///< live bytes by step, the first entry before the first step
    std::vector<std::optional<std::size_t>> m_steps;     ///< by NodeId
    std::map<ir::NodeId, MissingCosts> m_missing;        ///< FLOPs and bytes unknown in a node, regions included
};

} // namespace cutaway::views
