// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// Finds parameters by their use, by TensorId: true for tensors that are parameters although they are no initializers
/// of floats. ONNX itself does not mark parameters; an initializer of floats is one. Others are integers that stand for
/// the weights of a quantized layer, and tensors of Constant nodes where an exporter keeps weights in these.
std::vector<bool> parametersByUse(const ir::Model &model);

/// Makes the tensors of parametersByUse() parameters, in the signatures, too, but for the tensors in `declared`, whose
/// kind the file says.
void markParameters(ir::Model &model, const std::unordered_set<ir::TensorId> &declared);

} // namespace cutaway::formats::onnx
