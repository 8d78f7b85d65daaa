// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <string>
#include <vector>

namespace cutaway::convert {

/// A group of a graph as an ONNX model of its own.
struct LoweredPart {
    ir::NodeId group;
    std::string name; ///< the group's
    std::size_t nodes = 0;
    ir::Model model;                 ///< format "onnx"
    std::vector<ir::ValueId> inputs; ///< what the model's inputs are in the whole function, in their order
};

/// Makes an ONNX model of a node of the body that a pass has grouped others in. `shapes`: of the function. Errors
/// (Usage): what has no rule; what it reads or makes is no tensor.
Result<LoweredPart> loweredPart(const ir::Model &model, ir::FunctionId function, ir::NodeId group,
                                const analysis::Shapes &shapes, const Task &task = {});

/// Who runs a lowered part: a backend on a device ("": the processor), from a file beside the model's.
struct PartRunner {
    std::string backend, device, file;
};
/// Makes the group a node cutaway::lowered, which keeps its region and says who runs it instead.
void setLowered(ir::Model &model, ir::FunctionId function, const LoweredPart &part, const PartRunner &runner);

} // namespace cutaway::convert
