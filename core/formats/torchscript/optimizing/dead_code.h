// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"
#include "core/ir/graph.h"

namespace cutaway::formats::torchscript {

/// Whether a node is kept if it writes to a tensor or container that was made in the same code and is not read.
/// torch's peephole optimizer keeps it; torch's constant propagation knows aliases and removes it.
enum class UnreadWrites : std::uint8_t { Stay, Go };

/// Removes the nodes of a region from `first` on whose results are not read, with the nodes that only they read. Nodes
/// that raise, print or call stay, as do those that write to memory made elsewhere and those that make `result`.
void removeDeadCode(ir::Graph &graph, ir::RegionId region, ir::NodeId first, const ir::Operand &result,
                    OperatorCalls &operators, UnreadWrites unreadWrites);

} // namespace cutaway::formats::torchscript
