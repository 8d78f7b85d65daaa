// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// Replaces the function's body by torch's graph after its passes. Nodes that still exist keep their ids, names, scopes
/// and source positions; new ones get origins. Constants computed by torch become new tensors of the model, with bytes
/// of their own. `jit` has to be made from this function. Throws if the IR cannot represent something.
void readBack(ir::Model &model, ir::FunctionId function, const JitGraph &jit);

} // namespace cutaway::plugins
