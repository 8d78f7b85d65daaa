// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/patterns/pattern.h"

#include <span>

namespace cutaway::passes {

/// Makes the text of a pattern that matches these nodes of a function and all like them, with constants as they are
/// there, and replaces them by the same nodes, for the user to edit. Values read from outside are inputs (a weight a
/// constant one), values read outside are results. The model's context does not grow. Errors (Usage): nodes of several
/// regions or with regions of their own, or that no pattern can have.
Result<PatternTexts> patternOf(const ir::Model &model, ir::FunctionId function, std::span<const ir::NodeId> nodes);

} // namespace cutaway::passes
