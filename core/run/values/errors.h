// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/diff/diff.h"
#include "core/node_data/node_data.h"
#include "core/run/points.h"

#include <unordered_map>

namespace cutaway::run {

/// One of two runs whose values are compared.
struct ComparedRun {
    Backend &backend;
    Subject subject;
    Inputs inputs;
};

/// Tensors that matched nodes of the bodies give, results of the functions included, in A's order.
std::vector<Point> valuePairs(const diff::Side &a, const diff::Side &b, const diff::Difference &difference);

/// The pairs for one function that is run twice: each value with itself.
std::vector<run::Point> valuePairs(const run::Subject &subject, const analysis::Shapes &shapes);

/// How far the values of B are from those of A, by A's value.
using Errors = std::unordered_map<ir::ValueId, Distance>;

/// Compares the values of two runs. Both run once for each part of the values that is small enough to be kept:
/// `shapes` are A's. Pairs that cannot be compared are left out. Errors: those of Backend::watch().
Result<Errors> errorsOf(const ComparedRun &a, const ComparedRun &b, std::span<const Point> pairs,
                        const analysis::Shapes &shapes, const Task &task = {});

/// Columns of node data of A: run.error and run.relative_error have the largest errors of a node's results, run.cosine
/// the least similarity.
std::vector<node_data::Column> errorColumns(const ir::Function &function, const Errors &errors);

} // namespace cutaway::run
