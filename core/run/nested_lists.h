// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <optional>
#include <string_view>

namespace cutaway::run {

/// Parses a tensor from nested lists of numbers or Booleans in JSON, "[[1, 2], [3, 4]]"; a number by itself is a tensor
/// without dimensions. Without a dtype it is bool, int64 or float32, as the numbers need. Errors (Usage): no such
/// lists, lists of unequal lengths, a number that the dtype does not have.
Result<protocol::Tensor> parseNestedLists(std::string_view json, std::optional<ir::DType> dtype);

} // namespace cutaway::run
