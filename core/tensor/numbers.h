// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::compute {
struct Array;
}

namespace cutaway::tensor {

inline std::span<const std::byte> bytesOf(const protocol::Tensor &tensor)
{
    return std::as_bytes(std::span(tensor.bytes));
}
protocol::Tensor tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes);

// Precondition: the tensors have passed protocol::check().

/// Returns a tensor in the evaluator's form; nullopt for a dtype that the evaluator does not support, and for numbers
/// that int64 does not hold.
std::optional<compute::Array> arrayOf(const protocol::Tensor &tensor);
protocol::Tensor tensorOf(const compute::Array &array);

/// Returns the elements as doubles, for complex numbers real and imaginary parts alternately; nullopt for strings and
/// bits.
std::optional<std::vector<double>> numbersOf(const protocol::Tensor &tensor);

/// Returns the first elements, at most `limit`, as texts for display.
std::vector<std::string> firstElements(const protocol::Tensor &tensor, std::size_t limit);

} // namespace cutaway::tensor
