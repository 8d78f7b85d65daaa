// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::run {

/// Nodes of the body that run together.
struct Stage {
    std::vector<ir::NodeId> nodes;
    bool isLowered = false;           ///< whether the stage is one node cutaway::lowered
    std::vector<ir::ValueId> opened;  ///< values of other stages that the stage reads
    std::vector<ir::ValueId> results; ///< values of the stage that other stages or the caller read
};

/// Whether a node of the body is cutaway::lowered.
bool hasLoweredParts(const ir::Function &function);

/// Returns the stages of the body in execution order. The body is cut before and after each node cutaway::lowered.
/// Errors (Usage): something in the body may be written to, so that stages cannot be computed apart.
Result<std::vector<Stage>> stagesOf(const ir::Function &function);

/// The inputs and attributes of a node cutaway::lowered.
struct LoweredNode {
    std::vector<ir::ValueId> inputs; ///< in the order of the file's inputs
    std::string backend, device;     ///< the backend and the device, "" for the processor
    std::filesystem::path file;
};
/// Reads a node cutaway::lowered. Errors (Unreadable): an argument is missing; the file is not in the model's folder.
Result<LoweredNode> readLowered(const ir::Model &model, const ir::NodeRef &node);

} // namespace cutaway::run
