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
    std::size_t tries = 0; ///< 0: any number
};

struct Reduced {
    ir::Model model;
    std::size_t tries = 0;
    std::size_t nodesBefore = 0, nodes = 0; ///< nodes within branches and loops included
    bool isMinimal = false;                 ///< no single step is left; else a limit or a request ended it
};

/// Makes the smallest model it finds of which `isKept` is still true, by delta debugging: results are left out, runs of
/// nodes removed by halves, single nodes bypassed, inputs made constants. A result of a removed node becomes an input
/// of its known type, or a constant. The same is done within branches and loops, where it becomes a constant; one
/// branch replaces its node, and one iteration its loop. Every try is a valid graph, and the same model gives the same
/// tries.
/// `isKept` has to be true of the model as it is; it is asked about each model once. Errors: those of `isKept`.
Result<Reduced> reduced(const ir::Model &model, ir::FunctionId function,
                        const std::function<Result<bool>(const ir::Model &)> &isKept, const ReductionLimits &limits,
                        const Task &task = {});

} // namespace cutaway::passes
