// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <optional>

namespace cutaway::tensor {

/// The quantization parameters of a tensor: an integer element q stands for the number (q - zero point) * scale.
struct Quantization {
    std::vector<double> scales;     ///< one, or one for each index of `axis`
    std::vector<double> zeroPoints; ///< as many
    std::size_t axis = 0;
};

/// Returns how a tensor is quantized, by what its file keeps with it or by the node that dequantizes it; nothing if it
/// is not quantized. Errors: its quantization parameters are not known, are given in blocks, or differ from node to
/// node.
Result<std::optional<Quantization>> quantizationOf(const ir::Model &model, ir::TensorId tensor);

} // namespace cutaway::tensor
