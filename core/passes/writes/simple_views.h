// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Turns views of values that the function writes to into slices, selections and permutations, which can be put back:
/// the parts that split, chunk and unbind give, narrow, movedim and their kind. Views of which a size would have to be
/// known stay, and so does everything that nothing writes to.
void simplifyWrittenViews(rewrite::Rewriter &rewriter);

} // namespace cutaway::passes
