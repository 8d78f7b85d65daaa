// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit_graph.h"

namespace cutaway::plugins {

/// Makes the function's body what torch's passes have made of its graph. Nodes that are still there keep their ids,
/// names, scopes and places; new ones name their origins. Constants that torch has computed are new tensors of the
/// model, with bytes of their own. `jit` is of this function as it is. Throws for what the IR cannot say.
void readBack(ir::Model &model, ir::FunctionId function, const JitGraph &jit);

} // namespace cutaway::plugins
