// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <unordered_set>

namespace cutaway::passes {

/// Whether a function of the model calls `function`, by its id or as a method of an object.
bool mayBeCalled(const ir::Model &model, const ir::Function &function);

/// Whether an output of the function updates the input or tensor of this name.
bool isTargetOfOutput(const ir::Function &function, ir::NameId name);

/// Returns the tensors that a model reads: in nodes, through weights with uses, in signatures, or by name as attributes
/// of modules.
std::unordered_set<ir::TensorId> readTensors(const ir::Model &model);

} // namespace cutaway::passes
