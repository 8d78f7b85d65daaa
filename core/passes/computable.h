// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/ops/compute/value.h"

#include <span>

namespace cutaway::passes {

/// Prepares a model for the evaluator, which computes a function with these inputs: the rules of lower-to-aten replace
/// nodes of ONNX whose operators the evaluator has no rule for, functions that are called and have such nodes become
/// part of this one, and layers of packed weights become plain ones. Other nodes, and the signature, stay as they are;
/// a model without such nodes is returned unchanged.
ir::Model computable(const ir::Model &model, ir::FunctionId function, std::span<const compute::Value> inputs,
                     const Task &task = {});

} // namespace cutaway::passes
