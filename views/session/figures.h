// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/recorded_sizes.h"
#include "core/layout/diagram.h"
#include "views/session/node_costs.h"

#include <map>

namespace cutaway::layout {
struct Knowledge;
struct ModuleRow;
} // namespace cutaway::layout
namespace cutaway::lint {
enum class Origin : std::uint8_t;
}

namespace cutaway::views {

/// All figures of one function at given sizes, shared by all views. Immutable, computed off the UI thread.
class Figures {
public:
    /// The inputs of `model` have the given types; `timing` has measured times or is null. O(nodes · module depth).
    Figures(std::shared_ptr<const ir::Model> model, lint::Origin origin,
            std::shared_ptr<const analysis::Analysis> analysis, analysis::Device device,
            std::shared_ptr<const run::Timing> timing = nullptr);

    const ir::Function &function() const { return m_model->at(m_analysis->function); }
    const std::shared_ptr<const ir::Model> &model() const { return m_model; }
    const std::shared_ptr<const analysis::Analysis> &sharedAnalysis() const { return m_analysis; }
    const analysis::Analysis &analysis() const { return *m_analysis; }
    /// Returns the roofline of the costs that are known without example sizes.
    const analysis::Roofline &roofline() const { return m_costs.roofline(); }
    /// Returns the roofline in which formulas are evaluated at the example sizes.
    const analysis::Roofline &rooflineAtExample() const { return m_costs.rooflineAtExample(); }
    const analysis::Device &device() const { return m_device; }
    const run::NodeTimes &times() const { return m_costs.times(); }

    /// Whether the function contains a node or the subject of a box. A diagram of several states also shows nodes of
    /// other states, which have no figures.
    bool has(const layout::Subject &box) const;
    bool has(ir::NodeId node) const;
    Quantity of(ir::NodeId node, Measure measure) const;
    /// Returns the sum over the nodes of a box (memory: the maximum), or of a node; unknown for inputs and outputs.
    Quantity of(const layout::Subject &box, Measure measure) const;
    /// Returns how many equal modules a box stands for; 1 if it is not such a group. The cost of a group is the sum
    /// over its members.
    std::uint32_t membersOf(const layout::Subject &box) const;
    /// Returns the sum over a module call and its submodules. A node in a branch or loop counts once for modules that
    /// are called inside it, and for modules around it as often as it runs.
    Quantity of(ir::ScopeId scope, Measure measure) const;
    /// Returns the quantity of a row's module call or found part.
    Quantity of(const layout::ModuleRow &row, Measure measure) const;
    /// Returns the sum over nodes, or of memory the maximum.
    Quantity sum(std::span<const ir::NodeId> nodes, Measure measure) const;
    Quantity total(Measure measure) const;
    /// Returns the values for open sizes at which formulas are evaluated.
    const request::ExampleSizes &examples() const { return m_costs.examples(); }
    /// Returns the symbols of the file among the open sizes, which the user can give.
    std::vector<std::string> openSymbols() const;
    /// Returns a quantity of this function with the value that its formula has at the example sizes.
    Quantity atExample(Quantity quantity) const { return m_costs.atExample(std::move(quantity)); }
    /// Returns the exact text of a quantity and, for a formula, the sizes of its example.
    QString exactText(const Quantity &quantity) const;
    /// Returns the ten nodes with the most of `measure`; a formula counts as its value at the example sizes. Nodes with
    /// branches or loops are left out, since their figures come from the nodes inside, and so are nodes whose figure is
    /// zero or unknown.
    const std::vector<ir::NodeId> &costliest(Measure measure) const { return m_costliest[std::size_t(measure)]; }

    /// Returns the share of `seconds` in the sum of all node times; nothing without a profile.
    std::optional<double> shareOfTime(double seconds) const;
    /// Returns the measured time of nodes divided by their predicted time, in which nodes that are fused with them are
    /// included; nothing if one of the two times is unknown or the predicted time is zero.
    std::optional<double> measuredByPredicted(std::span<const ir::NodeId> nodes) const;

    /// Returns the derived type, "float32 [1, 64, 112, 112]", or the recorded type where none could be derived.
    std::string typeText(ir::ValueId value) const;
    /// Whether a part of the type is only recorded in the file.
    bool isRecorded(ir::ValueId value) const;
    /// Returns why something of the node is unknown, or nullptr.
    const analysis::Stop *stopAt(ir::NodeId node) const;

    /// Returns diagnostics on where and why shape propagation stopped; contradictions are warnings.
    std::vector<ir::Diagnostic> diagnostics() const;
    /// Returns diagnostics() and the findings of lint's rules, which look at every node.
    std::vector<ir::Diagnostic> diagnosticsAndFindings(const Task &task) const;

    /// Returns the step at which a node of the body runs; for a node in a region, that of the enclosing node.
    std::optional<std::size_t> stepOf(ir::NodeId node) const;
    std::optional<ir::NodeId> nodeAt(std::size_t step) const;

private:
    void findCostliest();
    void sumScopes(ops::DimTotals &totals);
    void sumBoxes(ops::DimTotals &totals);

    std::shared_ptr<const ir::Model> m_model;
    lint::Origin m_origin;
    std::shared_ptr<const analysis::Analysis> m_analysis;
    analysis::Device m_device;
    NodeCosts m_costs;
    double m_timed = 0; ///< the sum of the times of all timed nodes, in seconds
    analysis::RecordedSizes m_sizes;
    std::vector<NodeCost> m_scopes; ///< by ScopeId
    std::map<layout::Subject, NodeCost> m_boxes;
    std::map<layout::Subject, std::uint32_t> m_members; ///< by group of equal modules: the number of members
    std::map<ir::NodeId, std::size_t> m_stops;
    std::array<std::vector<ir::NodeId>, allMeasures.size()> m_costliest;
};

/// Returns what a diagram's texts need to know of the function; it shares ownership of the figures.
layout::Knowledge knowledgeOf(const std::shared_ptr<const Figures> &figures);

} // namespace cutaway::views
