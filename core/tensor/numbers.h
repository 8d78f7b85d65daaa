// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"
#include "core/protocol/tensor.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::tensor {

inline std::span<const std::byte> bytesOf(const protocol::Tensor &tensor)
{
    return std::as_bytes(std::span(tensor.bytes));
}
protocol::Tensor tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes);

// Precondition: the tensors have passed protocol::check().

/// The evaluator's form of a tensor; nullopt for a dtype that it does not support, and for numbers that int64 does not
/// hold.
std::optional<compute::Array> arrayOf(const protocol::Tensor &tensor);
protocol::Tensor tensorOf(const compute::Array &array);

/// The elements as doubles, complex ones as real and imaginary part alternately; nullopt for strings and bits.
std::optional<std::vector<double>> numbersOf(const protocol::Tensor &tensor);

/// The first elements as texts for display, at most `limit`.
std::vector<std::string> firstElements(const protocol::Tensor &tensor, std::size_t limit);

} // namespace cutaway::tensor
