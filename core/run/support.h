// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace cutaway::run {

/// Which nodes of a function a backend takes.
struct Support {
    struct Other {
        ir::NodeId node;
        std::string reason; ///< starts in lower case, has no full stop
    };
    std::unordered_set<ir::NodeId> taken;
    std::vector<Other> refused; ///< the backend lacks what they need
    std::vector<Other> unknown; ///< it cannot be asked, or does not know
};

/// The backend that is asked, as for findBackend().
struct AskedBackend {
    std::string name;
    std::string target = "local";
    std::string device = {}; ///< "": the processor
};

/// Asks a backend for each node of a function, those of its regions too, without running anything: nodes of one
/// operator with inputs of the same dtypes and ranks at once. `shapes`: of the function. Errors: Usage: an unknown
/// backend, or one that does not run such models; Backend: it cannot be asked.
Result<Support> supportOf(const AskedBackend &backend, const ir::Model &model, ir::FunctionId function,
                          const analysis::Shapes &shapes, const Task &task = {});

} // namespace cutaway::run
