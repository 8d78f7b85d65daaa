// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"
#include "core/ir/ids.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace cutaway::ir {

struct Model;

/// A tensor's elements in row-major order: integers (bools as 0 and 1, uint64 by its bits as int64) or floats.
using Numbers = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// Whether Numbers can hold elements of this dtype: all dtypes except complex numbers, bits and strings.
bool isNumeric(DType dtype);
/// Whether an element is a float, narrow ones included. Complex numbers and pairs of float4 are not.
bool isFloat(DType dtype);
/// Whether elements are signed integers, quantized ones included.
bool isSigned(DType dtype);

/// Returns the elements of a tensor of the file. Errors: the dtype is not numeric, or the bytes are missing.
Result<Numbers> numbersOf(const Model &model, TensorId tensor);

/// Decodes `count` contiguous elements of a numeric dtype: little-endian, with elements of less than a byte packed
/// from the low bits. `bytes` must be long enough.
Numbers decodeNumbers(DType dtype, std::span<const std::byte> bytes, std::size_t count);
/// Encodes elements in the form that decodeNumbers() reads: integers are truncated to the dtype's bits, floats
/// rounded to the nearest.
std::vector<std::byte> encodeNumbers(DType dtype, const Numbers &numbers);

/// Returns `x` rounded to this float dtype, ties to even.
double rounded(DType dtype, double x);
/// Returns `x` converted to this integer dtype: its low bits; for bool, whether it is not zero.
std::int64_t wrapped(DType dtype, std::int64_t x);

} // namespace cutaway::ir
