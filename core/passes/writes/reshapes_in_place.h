// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Turns nodes that give a tensor another shape in place into views: `x.t_()` becomes `y = x.t()`, and later readers of
/// x read y. Nodes inside regions stay, and so do those on a tensor whose readers are not all known. Nodes that change
/// a result or an input of the function stay as well, since the caller sees that, unless `ofResults`.
void viewReshapesInPlace(rewrite::Rewriter &rewriter, bool ofResults = false);

} // namespace cutaway::passes
