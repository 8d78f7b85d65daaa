// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/layout/knowledge.h"
#include "core/layout/text_measure.h"

#include <memory>
#include <vector>

namespace cutaway::layout {

/// A function that has the nodes of two states, for a picture of both; see ir::Graph::restore. A node that was moved
/// stands where it is afterwards.
ir::Model bothStates(const ir::Model &before, const ir::Model &after, ir::FunctionId function);

/// The same of all states of a history, at least one: laid out once, nothing moves from step to step.
ir::Model allStates(const std::vector<std::shared_ptr<const ir::Model>> &states, ir::FunctionId function);

/// Two of the states that a picture of several is of; the same one twice: only that one.
struct ShownStates {
    const ir::Model &before;
    const ir::Model &after;
};

/// Writes on each box of a picture of several states what it is after, or else before. No box changes its size: what
/// does not fit is shortened.
void describeStates(Diagram &diagram, const ShownStates &states, ir::FunctionId function,
                    const Knowledge &knowledge = {}, const TextMeasure &measure = approximateTextWidth);

} // namespace cutaway::layout
