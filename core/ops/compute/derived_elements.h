// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/fact_source.h"
#include "core/ops/operator.h"

namespace cutaway::compute {

/// Gives the small results of a node the elements that its compute rule finds, where all that the rule reads is known
/// and every machine finds the same: integers, elements that are moved or chosen, floats that are rounded once.
/// Elements that the shape rule knows already stay. `source`: the facts that `call` reads. The function takes little
/// time if an argument's elements are not known.
void deriveElements(const ir::NodeRef &node, const ops::Operator &row, const ops::Signature *signature,
                    const ops::Call &call, const ops::FactSource &source, ops::Facts &results);

} // namespace cutaway::compute
