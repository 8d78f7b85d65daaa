// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// Finds, by TensorId, the tensors that are parameters by their use although they are no initializers of floats. ONNX
/// itself does not mark parameters; every initializer of floats counts as one. Others are integers that are the
/// weights of a quantized layer, and tensors of Constant nodes if an exporter keeps weights in these.
std::vector<bool> parametersByUse(const ir::Model &model);

/// Makes the tensors of parametersByUse() parameters, also in signatures, except those `declared` in the file.
void markParameters(ir::Model &model, const std::unordered_set<ir::TensorId> &declared);

} // namespace cutaway::formats::onnx
