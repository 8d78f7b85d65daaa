// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/ops/compute/value.h"

#include <span>

namespace cutaway::passes {

/// The model as the evaluator computes it with these inputs of a function: nodes of ONNX Runtime's own operators, for
/// which there is no rule that computes them, are made of operators of ATen by what lower-to-aten has. Other nodes, and
/// the signature, stay as they are; a model without such nodes is given back.
ir::Model computable(const ir::Model &model, ir::FunctionId function, std::span<const compute::Value> inputs,
                     const Task &task = {});

} // namespace cutaway::passes
