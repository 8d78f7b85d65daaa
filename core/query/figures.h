// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/query/known.h"
#include "core/query/match.h"
#include "core/query/query.h"

#include <vector>

namespace cutaway::query {

/// The value of a figure, in its basic unit, or the limits that it lies within.
struct Limits {
    double least = 0;
    double most = 0;

    Match is(Comparison::Sign sign, double number) const;
};

/// Finds the figures of a function's nodes that a query can compare.
class Figures {
public:
    /// `known` must outlive this.
    explicit Figures(const Known &known);

    Limits limitsOf(Property figure, ir::NodeId node) const;
    /// Returns a number, a formula, or unknown. Precondition: `figure` is no time.
    ir::Dim sizeOf(Property figure, ir::NodeId node) const;
    /// Returns the time, either the least possible or the measured one; nothing if it is not known.
    std::optional<double> secondsOf(Property time, ir::NodeId node) const;
    /// Returns the step of analysis::Memory at which a node runs; for a node in a region it is the step of the node
    /// around it.
    std::optional<std::size_t> stepOf(ir::NodeId node) const { return m_steps[node.index]; }

private:
    void findSteps(ir::RegionId region, std::optional<std::size_t> step);
    ir::Dim parametersOf(ir::NodeId node) const;
    double leastOf(Property figure, ir::NodeId node) const;

    const Known &m_known;
    const analysis::ParameterReads m_reads;
    std::vector<std::optional<std::size_t>> m_steps; ///< by NodeId: the result of stepOf()
};

} // namespace cutaway::query
