// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::formats::pt2 {

/// The model with subgraphs that read nothing from outside, as the schema wants them: a value of the graph around that
/// a branch, a loop body or an autocast region reads, such as a weight that a pass has made, becomes an operand of the
/// higher-order operator and an input of its subgraphs, where torch.export puts such values. All that was there keeps
/// its id. Throws Unusable for an operator to which operands cannot be added.
ir::Model withoutCaptures(ir::Model model);

/// The model with other names for the constants that it has beyond the first `count` tensors. torch makes each an
/// attribute of a module, where "to" and "half" are names already.
ir::Model withConstantNames(ir::Model model, std::uint32_t count);

} // namespace cutaway::formats::pt2
