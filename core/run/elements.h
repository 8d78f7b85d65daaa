// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/array.h"
#include "core/protocol/tensor.h"

#include <cstddef>
#include <optional>
#include <span>

namespace cutaway::run {

inline std::span<const std::byte> bytesOf(const protocol::Tensor &tensor)
{
    return std::as_bytes(std::span(tensor.bytes));
}
protocol::Tensor tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes);

// Tensors here have passed protocol::check().

/// As the evaluator takes it; nothing of a dtype that it does not compute with.
std::optional<evaluate::Array> arrayOf(const protocol::Tensor &tensor);
protocol::Tensor tensorOf(const evaluate::Array &array);

/// The elements as numbers, of complex ones both parts in turn; nothing of texts and bits.
std::optional<std::vector<double>> numbersOf(const protocol::Tensor &tensor);

} // namespace cutaway::run
