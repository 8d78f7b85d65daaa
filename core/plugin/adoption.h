// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/passes/rewriter.h"

namespace cutaway::plugin {

/// Makes the rewriter's function what another program has made of it: `changed` is that state of the whole model, whole
/// (ir::verify) and of the same context. What is the same stays as it is, with its ids. Changed are operators,
/// arguments, types and places of nodes that stay, new and removed nodes with their regions, what is returned, new
/// constants.
///
/// Errors: a change of another kind, as other inputs or another number of outputs.
Result<void> adopt(passes::Rewriter &rewriter, const ir::Model &changed);

} // namespace cutaway::plugin
