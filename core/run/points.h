// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/run/comparison.h"

namespace cutaway::run {

/// A pair of corresponding values within two functions, and their producers.
struct Point {
    ir::NodeId nodeA, nodeB;
    ir::ValueId a, b;
};

/// Returns the points at which both functions can be compared, in A's order: tensors that are made by nodes of the
/// bodies which the diff has matched.
std::vector<Point> points(const diff::Side &a, const diff::Side &b, const diff::Difference &difference);
/// Returns the points for comparing a function with itself.
std::vector<Point> points(const diff::Side &side);

} // namespace cutaway::run
