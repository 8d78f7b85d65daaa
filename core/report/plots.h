// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/cost_tables.h"
#include "core/report/document.h"

#include "core/analysis/sweep.h"

namespace cutaway::report {

/// Returns a plot of the live bytes at each step; an empty one for no steps. Its text is one line of small bars.
Plot memoryPlot(const std::vector<double> &alive, std::optional<std::size_t> peakStep);

/// Returns a plot of nodes by FLOP per byte and FLOP per second, under the device's roofline; larger spots take longer.
/// It is empty if no node computes anything.
Plot rooflinePlot(const std::vector<NodeRow> &nodes, const analysis::Device &device);

/// Returns a curve for each figure that a sweep has at all of its values.
std::vector<Plot> sweepPlots(const analysis::Sweep &sweep);

} // namespace cutaway::report
