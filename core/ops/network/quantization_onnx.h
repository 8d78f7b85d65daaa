// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// Quantization of ONNX and com.microsoft: scales and zero points are inputs.
namespace cutaway::ops {

Answer onnxQuantize(const Call &call);
Answer onnxDequantize(const Call &call);
Answer dynamicQuantize(const Call &call);
Answer qlinearBinary(const Call &call);   ///< a scale and a zero point follow each of the two operands
Answer integerProduct(const Call &call);  ///< a zero point follows each of the two operands
Answer orderedQuantize(const Call &call); ///< changes the order in memory: the shape stays
Answer orderedDequantize(const Call &call);
Answer qlinearConcat(const Call &call); ///< the result's scale and zero point are the first inputs
Answer qlinearWhere(const Call &call);

} // namespace cutaway::ops
