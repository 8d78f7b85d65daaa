// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// ONNX has no word for a parameter. An initializer of floats is one. Others are by what reads them: integers that
/// stand for the weights of a quantized layer, and tensors of Constant nodes where an exporter keeps weights in these.
/// The result is by TensorId, true for the others.
std::vector<bool> parametersByUse(const ir::Model &model);

/// Makes such tensors parameters, in the signatures, too. `declared`: those of which the file says what they are.
void markParameters(ir::Model &model, const std::unordered_set<ir::TensorId> &declared);

} // namespace cutaway::formats::onnx
