// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The arguments, without tensors, of operators that quantize or dequantize with given scales and zero points: ONNX's
/// QuantizeLinear and DequantizeLinear, torch's fake_quantize_per_tensor_affine and the like, and those of
/// quantized_decomposed. Arguments 1 and 2 are the scales and zero points. A member that is nothing is not known, or is
/// no argument of the operator.
struct QuantizeArguments {
    std::optional<std::int64_t> axis; ///< the axis along which scales differ, if there are several; 1 if it is left out
    std::optional<std::int64_t> block;    ///< how many positions along the axis share a scale; 0: each has its own
    std::optional<std::int64_t> min, max; ///< the limits of quantized numbers, as torch's operators state them
};

QuantizeArguments quantizeArguments(const Call &call);

} // namespace cutaway::ops
