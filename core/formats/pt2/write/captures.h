// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::formats::pt2 {

/// Returns the model with subgraphs that read nothing from outside, as the schema demands. A value of the outer graph
/// that a branch, a loop body or an autocast region reads, such as a weight that a pass made, becomes an operand of
/// the higher-order operator and an input of its subgraphs, in the positions where torch.export puts them. All
/// existing ids stay. Throws Unusable for an operator to which operands cannot be added.
ir::Model withoutCaptures(ir::Model model);

/// Returns the model with new names for its constants from tensor `count` on. torch makes each constant an attribute
/// of a module, where names such as "to" and "half" are already used.
ir::Model withConstantNames(ir::Model model, std::uint32_t count);

} // namespace cutaway::formats::pt2
