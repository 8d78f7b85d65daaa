// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/query/known.h"
#include "core/query/match.h"
#include "core/query/query.h"

#include <vector>

namespace cutaway::query {

/// What a figure is, in its basic unit, or the limits that it lies within.
struct Limits {
    double least = 0;
    double most = 0;

    Match is(Comparison::Sign sign, double number) const;
};

/// All figures of a function's nodes that a query can compare.
class Figures {
public:
    /// Both have to outlive it.
    explicit Figures(const Known &known);

    Limits limitsOf(Property figure, ir::NodeId node) const;
    /// A number, a formula, or unknown. Of figures that are no times.
    ir::Dim sizeOf(Property figure, ir::NodeId node) const;
    /// The least and the measured time; nothing where it is not known.
    std::optional<double> secondsOf(Property time, ir::NodeId node) const;
    /// The step of analysis::Memory at which it runs: of a node in a region that of the node around.
    std::optional<std::size_t> stepOf(ir::NodeId node) const { return m_steps[node.index]; }

private:
    void findSteps(ir::RegionId region, std::optional<std::size_t> step);
    ir::Dim parametersOf(ir::NodeId node) const;
    double leastOf(Property figure, ir::NodeId node) const;

    const Known &m_known;
    const analysis::ParameterReads m_reads;
    std::vector<std::optional<std::size_t>> m_steps; ///< by NodeId
};

} // namespace cutaway::query
