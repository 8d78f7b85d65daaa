// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"
#include "core/ir/graph.h"

namespace cutaway::formats::torchscript {

/// What becomes of a node that writes to a tensor or container which was made in the same code and is not read: torch's
/// peephole optimizer leaves it, its constant propagation knows aliases and takes it out.
enum class UnreadWrites : std::uint8_t { Stay, Go };

/// Takes out of a region the nodes from `first` on whose results are not read, with what only they read. Nodes that
/// raise, print or call stay, and those that write to something else; what makes `result` does.
void removeDeadCode(ir::Graph &graph, ir::RegionId region, ir::NodeId first, const ir::Operand &result,
                    OperatorCalls &operators, UnreadWrites unreadWrites);

} // namespace cutaway::formats::torchscript
