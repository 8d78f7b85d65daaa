// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Compares files that have weights and no graph (ir::isWeightsOnly()). Tensors of one name are partners; their dtype,
/// shape and all elements are compared.
Difference compareNamedWeights(const Side &a, const Side &b);

} // namespace cutaway::diff
