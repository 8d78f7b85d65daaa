// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/knowledge.h"
#include "core/layout/metrics.h"
#include "core/layout/text_measure.h"

#include <memory>
#include <vector>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::layout {

/// Returns a model whose function has the nodes of two states, for a picture of both; see ir::Graph::restore. A node
/// that was moved stands where it is in `after`.
ir::Model bothStates(const ir::Model &before, const ir::Model &after, ir::FunctionId function);

/// Returns a model whose function has the nodes of all states of a history, at least one. Its picture is laid out once,
/// so that nothing moves from step to step.
ir::Model allStates(const std::vector<std::shared_ptr<const ir::Model>> &states, ir::FunctionId function);

/// The two states to show in a picture of several; if both are the same, only that one.
struct ShownStates {
    const ir::Model &drawn; ///< the model with the nodes of all states
    const ir::Model &before;
    const ir::Model &after;
};

/// Sets the texts of a picture's boxes to those of the state after, or before for boxes that the state after lacks. A
/// closed box grows by at most `growth` pixels at its left and right for them; texts that do not fit are shortened.
void describeStates(Diagram &diagram, const ShownStates &states, ir::FunctionId function,
                    const Knowledge &knowledge = {}, const TextMeasure &measure = approximateTextWidth,
                    double growth = 0);

/// The largest `growth` that still leaves a gap between neighbouring boxes.
inline constexpr double growthInGap = metrics::nodeGap / 2 - 3;

} // namespace cutaway::layout
