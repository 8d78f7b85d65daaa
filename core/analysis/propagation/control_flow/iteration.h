// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <functional>

namespace cutaway::analysis {

// The common parts of the rules of control flow: reading a node's arguments, iterating, and slices of tensors.

inline constexpr std::int64_t maxUnrolledIterations = 64;
inline constexpr int maxJoinedIterations = 8;

/// Returns the fact of the argument at `position`; unknown if there are fewer arguments.
ops::Fact argumentOf(const ir::NodeRef &node, std::size_t position, const Values &values);
/// Returns the facts of the arguments from the index `first` on; a list is replaced by its items.
ops::Facts argumentsFrom(const ir::NodeRef &node, std::size_t first, const Values &values);
/// Returns the facts of the arguments that have no name, which are all inputs of an ONNX node.
ops::Facts inputsOf(const ir::NodeRef &node, const Values &values);
/// Appends the items of a list, if their number is known, or else `fact` itself.
void appendOpened(ops::Facts &facts, const ops::Fact &fact);
/// Returns the fact at `position`; unknown if there are fewer facts.
ops::Fact factAt(std::span<const ops::Fact> facts, std::size_t position);

/// Returns the fact of a node's output that is `a` on one path and `b` on another. If one of them is None although the
/// output cannot be None, the variable has no value on that path and is not read after it, so the other fact counts.
ops::Fact joinedOutput(const ir::NodeRef &node, std::size_t output, const ops::Fact &a, const ops::Fact &b);

/// Why the cost of code that runs `count` times is not known; "" if the count is known, or the code costs nothing.
std::string reasonOf(const ir::Dim &count, const BoundedCost &cost);

/// Calls `iterate` until neither `carried` nor what code writes to changes.
void iterateUntilStable(Walk &walk, const ops::Facts &carried, int maxIterations, const std::function<void()> &iterate);

// withoutAxis() returns the fact of one slice of a tensor along an axis, withAxis() that of `size` stacked tensors. The
// axis -1 is the last one. If the tensor may not have the axis, only the dtype of the result is known.
ops::Fact withoutAxis(const ops::Fact &fact, std::int64_t axis);
ops::Fact withAxis(const ops::Fact &fact, std::int64_t axis, const ir::Dim &size);
ir::Dim sizeAlong(const ops::Fact &fact, std::int64_t axis);

} // namespace cutaway::analysis
