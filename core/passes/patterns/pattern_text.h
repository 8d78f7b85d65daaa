// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/patterns/pattern.h"

#include <span>

namespace cutaway::passes {

/// Makes the text of a pattern for the user to edit. It matches these nodes of a function, and all others like them
/// with the same constants, and replaces them by the same nodes. Values read from outside become inputs (a weight
/// becomes a constant input), values read outside become results. The model's context does not grow. Errors (Usage):
/// the nodes are in several regions, or a pattern cannot have one of them, such as a node with regions.
Result<PatternTexts> patternOf(const ir::Model &model, ir::FunctionId function, std::span<const ir::NodeId> nodes);

} // namespace cutaway::passes
