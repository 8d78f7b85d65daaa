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

/// The points at which both functions can be compared: tensors that matched nodes of the bodies produce, in A's order.
std::vector<Point> points(const diff::Side &a, const diff::Side &b, const diff::Difference &difference);
/// The points of a function compared with itself.
std::vector<Point> points(const diff::Side &side);

} // namespace cutaway::run
