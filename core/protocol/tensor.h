// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::protocol {

/// A tensor by itself, as backends take and give it. Its elements lie row by row, little-endian, those smaller than a
/// byte packed from the low end; a text is its length in four bytes and its bytes.
struct Tensor {
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape;
    std::string bytes;
    bool operator==(const Tensor &) const = default;
};

/// The dtype of the two numbers that a complex one is; nothing of others.
std::optional<ir::DType> partOf(ir::DType dtype);

/// Errors (Backend): a negative size, too many elements.
Result<std::int64_t> elementCount(std::span<const std::int64_t> shape);

/// Errors (Backend): bytes that are not those of as many elements as the shape says.
Result<void> check(const Tensor &tensor);

/// The elements of a tensor of texts. Errors (Backend): the bytes are no texts, or not as many as the shape says.
Result<std::vector<std::string>> textsOf(const Tensor &tensor);
Tensor tensorOf(std::vector<std::int64_t> shape, std::span<const std::string> texts);

/// Elements to try a model with: ir::randomNumbers, of complex dtypes for both parts, of texts "0" and "1". Errors
/// (Backend): a dtype that has no numbers, sizes that cannot be.
Result<Tensor> randomTensor(ir::DType dtype, std::vector<std::int64_t> shape, std::uint32_t seed);

} // namespace cutaway::protocol
