// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <optional>

namespace cutaway::tensor {

/// The quantization parameters of a tensor: an integer element q represents the number (q - zero point) * scale.
struct Quantization {
    std::vector<double> scales;     ///< one scale, or one for each index of `axis`
    std::vector<double> zeroPoints; ///< one per scale
    std::size_t axis = 0;
};

/// Returns how a tensor is quantized, as its file or the nodes that dequantize it say; nothing if it is not
/// quantized. Errors: its quantization parameters are not known, are given in blocks, or differ from node to node.
Result<std::optional<Quantization>> quantizationOf(const ir::Model &model, ir::TensorId tensor);

} // namespace cutaway::tensor
