// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::diff {

/// Returns how many of the file's tensors an earlier state of a function reads or declares and a later one does not.
std::size_t removedWeights(const ir::Function &before, const ir::Function &after);

} // namespace cutaway::diff
