// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// Returns the IR's value for a tensor that is a constant of torch's graph: the value of the weight that became this
/// constant, or else the value of a new tensor of the model. The new tensor has bytes of its own and is called `name`,
/// or "constant" if that is "". Throws for tensors that the IR cannot represent.
ir::ValueId weightOf(const at::Tensor &tensor, std::string_view name, const JitGraph &jit, ir::Model &model,
                     ir::Graph &graph);

} // namespace cutaway::plugins
