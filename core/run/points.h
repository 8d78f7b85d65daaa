// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/run/comparison.h"

namespace cutaway::run {

/// Values inside of two functions that are to be the same, and the nodes that make them.
struct Point {
    ir::NodeId nodeA, nodeB;
    ir::ValueId a, b;
};

/// Where both can be looked at: tensors that matched nodes of the bodies make, in the order of A.
std::vector<Point> points(const diff::Side &a, const diff::Side &b, const diff::Difference &difference);
/// Of a function with itself.
std::vector<Point> points(const diff::Side &side);

/// What the backend gives for the subject's outputs, and behind them for these values.
Result<Outcome> runWithValues(Backend &backend, const Subject &subject, std::span<const ir::ValueId> values,
                              const Inputs &inputs, const Task &task);

} // namespace cutaway::run
