// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <chrono>
#include <functional>
#include <optional>

namespace cutaway::passes {

/// The number of tries and the time that a reduction may take.
struct ReductionLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::size_t tries = 0; ///< the most tries; 0: any number
};

struct Reduced {
    ir::Model model;
    std::size_t tries = 0;
    std::size_t nodesBefore = 0, nodes = 0; ///< numbers of nodes, those within branches and loops included
    bool isMinimal = false; ///< whether no step can make it smaller; false if a limit or a request ended the search
};

/// Makes the smallest model it finds of which `isKept` is still true, by delta debugging: results are left out, runs of
/// nodes removed by halves, single nodes bypassed, inputs made constants. A result of a removed node becomes an input
/// of its known type, or a constant. Within branches and loops the same is done, where results of removed nodes become
/// constants. A branch may replace its node, and an iteration its loop. Every try is a valid graph, and the same model
/// gives the same tries. `isKept` has to be true of the model as it is; it is asked about each model once. Errors:
/// those of `isKept`.
Result<Reduced> reduced(const ir::Model &model, ir::FunctionId function,
                        const std::function<Result<bool>(const ir::Model &)> &isKept, const ReductionLimits &limits,
                        const Task &task = {});

} // namespace cutaway::passes
