// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/tensors/random_numbers.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::protocol {

/// A tensor with its elements, as backends take and return it: row-major and little-endian. Elements smaller than a
/// byte are packed from the low bits; a string is its length in four bytes followed by its bytes.
struct Tensor {
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape;
    std::string bytes;
    bool operator==(const Tensor &) const = default;
};

/// Returns the dtype of a complex dtype's real and imaginary part; nullopt for other dtypes.
std::optional<ir::DType> partOf(ir::DType dtype);

/// Returns the number of elements. Errors (Backend): a negative size, too many elements.
Result<std::int64_t> elementCount(std::span<const std::int64_t> shape);

/// Checks a tensor. Errors (Backend): the number of bytes does not fit dtype and shape.
Result<void> check(const Tensor &tensor);

/// Returns the elements of a string tensor. Errors (Backend): malformed bytes, or not as many as the shape has.
Result<std::vector<std::string>> textsOf(const Tensor &tensor);
Tensor tensorOf(std::vector<std::int64_t> shape, std::span<const std::string> texts);

/// Returns a tensor of test data: ir::randomNumbers(), for both parts of complex numbers; "0" and "1" for strings.
/// Errors (Backend): a dtype without numbers, impossible sizes.
Result<Tensor> randomTensor(ir::DType dtype, std::vector<std::int64_t> shape, std::uint32_t seed,
                            std::optional<ir::NumberRange> range = {});

} // namespace cutaway::protocol
