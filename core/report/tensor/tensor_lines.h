// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/tensor/quantization.h"

#include <string>

namespace cutaway::report {

/// Returns the indices of the element at a row-major position: "[0, 12]".
std::string indexText(const std::vector<std::int64_t> &shape, std::uint64_t position);
/// Returns where the bytes of a tensor are: "model.safetensors, byte 1,234"; "no data: a meta tensor".
std::string placeText(const ir::Model &model, const ir::Tensor &tensor);
/// Returns "scale 0.5, zero point 3", or "64 scales along dimension 0".
std::string quantizationText(const tensor::Quantization &quantization);
/// Returns a number with six digits.
std::string numberText(double x);

} // namespace cutaway::report
