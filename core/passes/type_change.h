// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::passes {

/// Whether two facts cannot describe the same value: they are tensors of different dtypes, ranks or sizes. Sizes that
/// are formulas are ignored, since a formula may be written in two ways.
bool contradict(const ops::Fact &before, const ops::Fact &after);

} // namespace cutaway::passes
