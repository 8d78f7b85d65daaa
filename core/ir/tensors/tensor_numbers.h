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

/// Elements of a tensor, row by row: whole numbers (booleans as 0 and 1, uint64 with the bits of int64) or floats.
using Numbers = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// Whether a dtype's elements are numbers of one of these two kinds: all but complex ones, bits and texts.
bool isNumeric(DType dtype);
/// Whether they are floats.
bool isFloat(DType dtype);
/// Whether they are whole numbers with a sign.
bool isSigned(DType dtype);

/// The elements of a tensor of the file; of a dtype that is numeric. Errors: it is not, or its bytes are not there.
Result<Numbers> numbersOf(const Model &model, TensorId tensor);

// Of a numeric dtype.
/// `count` elements that lie one behind the other, little-endian, those smaller than a byte packed from the low end.
/// There are enough bytes for them.
Numbers decodeNumbers(DType dtype, std::span<const std::byte> bytes, std::size_t count);
/// The bytes of such elements: whole numbers cut off to the dtype's bits, floats rounded to the nearest.
std::vector<std::byte> encodeNumbers(DType dtype, const Numbers &numbers);

/// A float as an element of this dtype has it: rounded to the nearest, of two to the even one.
double rounded(DType dtype, double x);
/// A whole number as an element of this dtype has it: its low bits; of bool, whether it is not zero.
std::int64_t wrapped(DType dtype, std::int64_t x);

} // namespace cutaway::ir
