// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/diff/diff.h"
#include "core/node_data/node_data.h"
#include "core/run/points.h"

#include <unordered_map>

namespace cutaway::run {

/// A run whose values are compared with those of another one.
struct ComparedRun {
    Backend &backend;
    Subject subject;
    Inputs inputs;
};

/// Returns pairs of tensors, in A's order, that are made by nodes of the bodies which the diff has matched. Results of
/// the functions are included.
std::vector<Point> valuePairs(const diff::Side &a, const diff::Side &b, const diff::Difference &difference);

/// Returns the pairs for one function that is run twice: each value with itself.
std::vector<run::Point> valuePairs(const run::Subject &subject, const analysis::Shapes &shapes);

/// The distance of B's values from those of A, by A's value.
using Errors = std::unordered_map<ir::ValueId, Distance>;

/// Compares the values of two runs. Each function runs once for each part of the values that is small enough to be
/// kept. `shapes` are A's. Pairs that cannot be compared are left out. Errors: those of Backend::watch().
Result<Errors> errorsOf(const ComparedRun &a, const ComparedRun &b, std::span<const Point> pairs,
                        const analysis::Shapes &shapes, const Task &task = {});

/// Returns columns of node data for A: run.error and run.relative_error are the largest errors of a node's results,
/// run.cosine is the least similarity.
std::vector<node_data::Column> errorColumns(const ir::Function &function, const Errors &errors);

} // namespace cutaway::run
