// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::plugin {

/// Applies another program's changes to the rewriter's function. `changed` is the whole model in its new state, valid
/// (ir::verify) and of the same context. Whatever did not change keeps its id. Allowed changes: operators, arguments,
/// types and source positions of nodes that stay; new and removed nodes with their regions; the returned values; new
/// constants.
/// Errors: any other change, such as other inputs or another number of outputs.
Result<void> adopt(rewrite::Rewriter &rewriter, const ir::Model &changed);

} // namespace cutaway::plugin
