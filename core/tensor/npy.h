// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace cutaway::tensor {

/// Returns the header of a NumPy file, after which the elements follow in row-major order, little-endian. Errors
/// (Usage): a dtype that NumPy lacks.
Result<std::string> npyHeader(ir::DType dtype, const std::vector<std::int64_t> &shape);

/// Prints a tensor as a NumPy file. A dtype that NumPy lacks is widened: small floats to float32, integers of less
/// than a byte to bytes. Errors (Usage): strings and bits.
Result<std::string> printNpy(const protocol::Tensor &tensor);

/// Reads little-endian numeric arrays in C or Fortran order. Errors (Unreadable): what was found and what was expected.
Result<protocol::Tensor> parseNpy(std::string_view file);

} // namespace cutaway::tensor
