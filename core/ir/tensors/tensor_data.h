// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/ids.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cutaway::ir {

struct Model;

/// How many digits of floats are printed: six for display, or as many as parsing needs to return the same number.
enum class Digits : std::uint8_t { Six, All };

/// Returns the first `limit` elements of a tensor in row-major order as text ("0.0100", "-3", "1+2j", "\"a\""), read
/// from the file now; only their pages are loaded. Errors: the bytes are missing or too short, with the reason.
Result<std::vector<std::string>> firstElements(const Model &model, TensorId tensor, std::size_t limit,
                                               Digits digits = Digits::Six);

/// Returns the elements at these row-major positions like firstElements(). Errors: those of firstElements(); a
/// position after the last element.
Result<std::vector<std::string>> elementsAt(const Model &model, TensorId tensor, std::span<const std::uint64_t> places,
                                            Digits digits = Digits::Six);

} // namespace cutaway::ir
