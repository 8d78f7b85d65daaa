// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace cutaway::run {

/// A tensor as a file of NumPy. What NumPy has no dtype for is widened to one that holds its values: small floats to
/// float32, integers of less than a byte to bytes. Errors (Usage): texts and bits.
Result<std::string> printNpy(const protocol::Tensor &tensor);

/// Little-endian arrays of numbers, of C or Fortran order. Errors (Unreadable): what was found and wanted.
Result<protocol::Tensor> parseNpy(std::string_view file);

} // namespace cutaway::run
