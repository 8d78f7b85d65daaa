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

/// How long a reduction may take.
struct ReductionLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::size_t tries = 0; ///< 0: any number
};

struct Reduced {
    ir::Model model;
    std::size_t tries = 0;
    std::size_t nodesBefore = 0, nodes = 0; ///< those within branches and loops included
    bool isMinimal = false;                 ///< no single step is left; else a limit or a request ended it
};

/// Makes the smallest model it finds of which `isKept` is still true, by delta debugging: results are left out, runs of
/// nodes taken out by halves, single nodes bypassed, inputs made constants. What a node that is taken out made becomes
/// an input of its known type, or a constant. The same is done within branches and loops, where it becomes a constant;
/// one branch takes the place of its node, and one iteration that of its loop. Every try is a valid graph, and the same
/// model gives the same tries.
/// `isKept` has to be true of the model as it is; what it is asked twice is asked once. Errors: those of `isKept`.
Result<Reduced> reduced(const ir::Model &model, ir::FunctionId function,
                        const std::function<Result<bool>(const ir::Model &)> &isKept, const ReductionLimits &limits,
                        const Task &task = {});

} // namespace cutaway::passes
