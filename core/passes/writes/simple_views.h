// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Turns views of values that the function writes to into slices, selections and permutations, which have an inverse:
/// the results of split, chunk and unbind, narrow, movedim and similar operators. A view stays if it needs a size that
/// is not known, and so do all views of values that nothing writes to.
void simplifyWrittenViews(rewrite::Rewriter &rewriter);

} // namespace cutaway::passes
