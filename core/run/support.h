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

/// The nodes of a function by whether a backend supports them.
struct Support {
    struct Other {
        ir::NodeId node;
        std::string reason; ///< starts in lower case, has no full stop
    };
    std::unordered_set<ir::NodeId> taken;
    std::vector<Other> refused; ///< nodes for which the backend lacks something
    std::vector<Other> unknown; ///< nodes about which the backend cannot be asked, or does not know
};

/// The backend that is asked, with the arguments of findBackend().
struct AskedBackend {
    std::string name;
    std::string target = "local";
    std::string device = {}; ///< "" for the processor
};

/// Asks a backend about each node of a function, those of regions included, without running anything. Nodes of one
/// operator with inputs of the same dtypes and ranks are asked about once. `shapes` are those of the function. Errors:
/// Usage: an unknown backend, or one that does not run such models; Backend: it cannot be asked.
Result<Support> supportOf(const AskedBackend &backend, const ir::Model &model, ir::FunctionId function,
                          const analysis::Shapes &shapes, const Task &task = {});

} // namespace cutaway::run
