// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::formats {

/// Makes of a model that has tensors alone the one that others read (ir::isWeightsOnly()): modules by the dots in the
/// names, parameters and buffers, and a function in which each tensor is a weight. Call once, when all are there.
void finishTensorList(ir::Model &model);

} // namespace cutaway::formats
