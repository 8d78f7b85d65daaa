// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <functional>

namespace cutaway::analysis {

// What the rules of control flow have in common: reading what a node is given, iterating, and slices of tensors.

inline constexpr std::int64_t maxUnrolledIterations = 64;
inline constexpr int maxJoinedIterations = 8;

/// The argument at a position; unknown behind the last.
ops::Fact argumentOf(const ir::NodeRef &node, std::size_t position, const Values &values);
/// The arguments from a position on, lists opened.
ops::Facts argumentsFrom(const ir::NodeRef &node, std::size_t first, const Values &values);
/// The arguments that have no name: all inputs of ONNX.
ops::Facts inputsOf(const ir::NodeRef &node, const Values &values);
/// Appends a list's items, if their number is known; else the fact itself.
void appendOpened(ops::Facts &facts, const ops::Fact &fact);
/// Unknown behind the last.
ops::Fact factAt(std::span<const ops::Fact> facts, std::size_t position);

/// What is known of a node's output that is `a` on one way and `b` on another. None for what cannot be None is a name
/// that has no value on that way and is not read behind it.
ops::Fact joinedOutput(const ir::NodeRef &node, std::size_t output, const ops::Fact &a, const ops::Fact &b);

/// Why the cost of code that runs so often is not known; "" if the count is, or it costs nothing.
std::string reasonOf(const ir::Dim &count, const BoundedCost &cost);

/// Calls `iterate` until neither what is carried nor what code writes to changes.
void iterateUntilStable(Walk &walk, const ops::Facts &carried, int maxIterations, const std::function<void()> &iterate);

// -1 is the last axis. Of a tensor that is not known to have it, only the dtype is known of what comes of it.
/// One slice of the tensor.
ops::Fact withoutAxis(const ops::Fact &fact, std::int64_t axis);
/// So many slices like this, stacked.
ops::Fact withAxis(const ops::Fact &fact, std::int64_t axis, const ir::Dim &size);
ir::Dim sizeAlong(const ops::Fact &fact, std::int64_t axis);

} // namespace cutaway::analysis
