// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// Quantization of ONNX and com.microsoft: scales and zero points are inputs.
namespace cutaway::ops {

Facts onnxQuantize(const Call &call);
Facts onnxDequantize(const Call &call);
Facts dynamicQuantize(const Call &call);
Facts qlinearBinary(const Call &call);   ///< both operands are followed by scale and zero point
Facts integerProduct(const Call &call);  ///< both operands are followed by a zero point
Facts orderedQuantize(const Call &call); ///< the order is that of memory: the shape stays
Facts orderedDequantize(const Call &call);
Facts qlinearConcat(const Call &call); ///< the result's scale and zero point come first
Facts qlinearWhere(const Call &call);

} // namespace cutaway::ops
