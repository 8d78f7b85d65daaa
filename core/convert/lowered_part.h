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

/// A group of a graph, converted to an ONNX model of its own.
struct LoweredPart {
    ir::NodeId group;
    std::string name; ///< the name of the group
    std::size_t nodes = 0;
    ir::Model model;                 ///< format "onnx"
    std::vector<ir::ValueId> inputs; ///< the function's values that the model's inputs stand for
};

/// Makes an ONNX model of `group`, a node of the body in which a pass has grouped other nodes. `shapes` are those of
/// the function. Errors (Usage): a node without a rule; a value between the group and the rest that is no tensor.
/// Further errors: those of toOnnx().
Result<LoweredPart> loweredPart(const ir::Model &model, ir::FunctionId function, ir::NodeId group,
                                const analysis::Shapes &shapes, const Task &task = {});

/// The runner of a lowered part: a backend on a device ("": the CPU), from a file beside the model's.
struct PartRunner {
    std::string backend, device, file;
};
/// Turns the group into a node cutaway::lowered, which keeps its region and names the runner that runs the part
/// instead.
void setLowered(ir::Model &model, ir::FunctionId function, const LoweredPart &part, const PartRunner &runner);

} // namespace cutaway::convert
