// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// The value of a tensor that is a constant of torch's graph: of the weight that was carried there, else of a new
/// tensor of the model with bytes of its own and this name, or "constant" without one. Throws for what the IR has no
/// tensors of.
ir::ValueId weightOf(const at::Tensor &tensor, std::string_view name, const JitGraph &jit, ir::Model &model,
                     ir::Graph &graph);

} // namespace cutaway::plugins
