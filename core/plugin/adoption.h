// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::plugin {

/// Applies another program's changes to the rewriter's function. `changed` is the whole model in its new state, valid
/// (ir::verify) and of the same context. Whatever did not change keeps its id. Adopted are: operators, arguments,
/// types, order and region of nodes that stay, and further results of them; new and removed nodes with their regions;
/// what regions return; new constants. Names, scopes, source positions and metadata of nodes that stay are ignored.
/// Errors: other functions; other inputs or another number of outputs; tensors that differ or are gone; new tensors
/// without bytes of their own; nodes that stay with fewer results, or with other regions or region inputs.
Result<void> adopt(rewrite::Rewriter &rewriter, const ir::Model &changed);

} // namespace cutaway::plugin
