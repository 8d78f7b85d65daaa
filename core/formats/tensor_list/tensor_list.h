// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::formats {

/// Turns a model that has only tensors into a model of weights alone (ir::isWeightsOnly()): it makes modules by the
/// dots in the names, parameters and buffers, and a function in which each tensor is a weight. It is called once,
/// when all tensors were added.
void finishTensorList(ir::Model &model);

} // namespace cutaway::formats
