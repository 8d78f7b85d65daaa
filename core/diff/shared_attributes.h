// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"

namespace cutaway::diff {

/// Compares what both dialects say of an operator under names of their own: strides, paddings, dilations, groups,
/// kernel sizes, epsilons. Numbers alone; what only one side gives is not compared.
void compareSharedAttributes(Operands &a, const ir::NodeRef &nodeA, Operands &b, const ir::NodeRef &nodeB,
                             std::vector<Change> &changes);

} // namespace cutaway::diff
