// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"
#include "core/ir/graph.h"

namespace cutaway::formats::torchscript {

/// Takes out of a region the nodes from `first` on whose results are not read, with what only they read. Nodes that
/// write, raise, print or call stay, and what makes `result` does.
void removeDeadCode(ir::Graph &graph, ir::RegionId region, ir::NodeId first, const ir::Operand &result,
                    OperatorCalls &operators);

} // namespace cutaway::formats::torchscript
