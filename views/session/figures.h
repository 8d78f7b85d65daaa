// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/analysis/sizes.h"
#include "core/layout/diagram.h"
#include "core/layout/knowledge.h"
#include "core/ops/facts/dim_sum.h"
#include "views/session/measure.h"
#include "views/session/node_times.h"

#include <map>
#include <memory>
#include <span>
#include <unordered_map>

namespace cutaway::views {

/// All that is derived of one function at given sizes, for all views alike. Immutable, made off the UI thread.
class Figures {
public:
    /// `model` has the given types at its inputs. `timing`: what was measured, or null. O(nodes · depth of modules).
    Figures(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::Analysis> analysis,
            analysis::Device device, std::shared_ptr<const run::Timing> timing = nullptr);

    const ir::Function &function() const { return m_model->at(m_analysis->function); }
    const std::shared_ptr<const ir::Model> &model() const { return m_model; }
    const std::shared_ptr<const analysis::Analysis> &sharedAnalysis() const { return m_analysis; }
    const analysis::Analysis &analysis() const { return *m_analysis; }
    const analysis::Roofline &roofline() const { return m_roofline; }
    const analysis::Device &device() const { return m_device; }
    const NodeTimes &times() const { return m_times; }

    /// Whether the function has what a box stands for: a picture of several states has more. Of that nothing is known.
    bool has(const layout::Subject &box) const;
    bool has(ir::NodeId node) const;
    Quantity of(ir::NodeId node, Measure measure) const;
    /// Of all nodes of a box, or of a node; memory: the most. Nothing is known of inputs and outputs.
    Quantity of(const layout::Subject &box, Measure measure) const;
    /// Of a module call with what it calls, up the tree. A node in a branch or loop counts once in the modules that are
    /// called there, and as often as it runs in those around.
    Quantity of(ir::ScopeId scope, Measure measure) const;
    Quantity total(Measure measure) const;

    /// Of the time of all that was timed; nothing where nothing was.
    std::optional<double> shareOfTime(double seconds) const;
    /// The measured time of nodes by the one predicted for them and for what runs as one with them. Nothing: one of
    /// the two is not known, or nothing is predicted to take time.
    std::optional<double> measuredByPredicted(std::span<const ir::NodeId> nodes) const;

    /// "float32 [1, 64, 112, 112]": what was derived, and where that leads no further what the file records.
    std::string typeText(ir::ValueId value) const;
    /// Why something of the node is not known, or nullptr.
    const analysis::Stop *stopAt(ir::NodeId node) const;

    /// Where propagation knew no further, and why; what cannot be is a warning.
    std::vector<ir::Diagnostic> diagnostics() const;

    /// The step at which a node of the body runs; of one in a region that of the node around.
    std::optional<std::size_t> stepOf(ir::NodeId node) const;
    std::optional<ir::NodeId> nodeAt(std::size_t step) const;

private:
    /// Of one thing; what is not known is an UnknownDim or nothing.
    struct Cost {
        ir::Dim flops = ir::UnknownDim{}, bytes = ir::UnknownDim{}, memory = ir::UnknownDim{};
        std::optional<double> seconds;
        std::optional<double> measured;
    };
    /// Of several, while they are added.
    struct Sum {
        ops::DimSum flops, bytes;
        ir::Dim memory = std::int64_t{0};
        std::optional<double> seconds = 0;
        std::optional<double> measured; ///< of those that were timed

        void add(const Cost &cost);
        void add(const Sum &other);
        Cost total() const { return {flops.total(), bytes.total(), memory, seconds, measured}; }
    };
    Cost costOf(ir::NodeId node) const;
    static Quantity quantity(const Cost &cost, Measure measure);
    void findSteps();
    void sumScopes();
    void sumBoxes();

    std::shared_ptr<const ir::Model> m_model;
    std::shared_ptr<const analysis::Analysis> m_analysis;
    analysis::Device m_device;
    analysis::Roofline m_roofline;
    NodeTimes m_times;
    double m_timed = 0; ///< seconds, of all that was timed
    analysis::Sizes m_sizes;
    std::vector<std::optional<std::size_t>> m_steps; ///< by NodeId
    std::vector<Cost> m_nodes;                       ///< by NodeId
    std::vector<Cost> m_scopes;                      ///< by ScopeId
    std::map<layout::Subject, Cost> m_boxes;         ///< of all that is no node
    std::unordered_map<ir::NodeId, std::size_t> m_stops;
};

/// The larger of two sizes. Of formulas nobody says which it is, and a formula of all of them nobody reads.
ir::Dim larger(const ir::Dim &a, const ir::Dim &b);

/// For the texts of a diagram; holds the figures.
layout::Knowledge knowledgeOf(const std::shared_ptr<const Figures> &figures);

} // namespace cutaway::views
