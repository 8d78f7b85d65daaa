// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/cost_tables.h"
#include "core/report/document.h"

#include "core/analysis/sweep.h"

namespace cutaway::report {

/// Live bytes at each step; an empty plot if there are no steps. Its text is one line of small bars.
Plot memoryPlot(const std::vector<double> &alive, std::optional<std::size_t> peakStep);

/// Nodes by FLOP per byte and FLOP per second, under the device's roofline; larger spots take longer. Empty if no node
/// computes anything.
Plot rooflinePlot(const std::vector<NodeRow> &nodes, const analysis::Device &device);

/// A curve for each figure that a sweep has at all its values.
std::vector<Plot> sweepPlots(const analysis::Sweep &sweep);

} // namespace cutaway::report
