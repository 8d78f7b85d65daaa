// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

namespace cutaway::passes {

/// Makes a view of what gives a tensor another shape in place: of `x.t_()` becomes `y = x.t()`, and whoever reads x
/// later reads y. Those inside regions stay, and those where not everybody who has the same tensor is known. Results of
/// the function keep their types, and inputs are as the caller has them, unless `ofResults`.
void viewReshapesInPlace(Rewriter &rewriter, bool ofResults = false);

} // namespace cutaway::passes
