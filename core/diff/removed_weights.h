// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::diff {

/// How many of the file's tensors an earlier state of a function has, in its signature or its graph, and a later one
/// not.
std::size_t removedWeights(const ir::Function &before, const ir::Function &after);

} // namespace cutaway::diff
