// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"

namespace cutaway::diff {

/// Compares the attributes that ops' readers of arguments know of both dialects: windows, groups, epsilons and whether
/// attention is causal. Attributes that are unknown on one side are not compared.
void compareSharedAttributes(Operands &a, const ir::NodeRef &nodeA, Operands &b, const ir::NodeRef &nodeB,
                             std::vector<Change> &changes);

} // namespace cutaway::diff
