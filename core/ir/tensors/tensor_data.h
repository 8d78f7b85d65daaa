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

/// How floats are written: for people, or so that the number comes back.
enum class Digits : std::uint8_t { Six, All };

/// The first `limit` elements of a tensor in row-major order as texts ("0.0100", "-3", "1+2j", "\"a\""), read from the
/// file now; only the pages they lie on are touched. Errors: the bytes are not there or too short, and why.
Result<std::vector<std::string>> firstElements(const Model &model, TensorId tensor, std::size_t limit,
                                               Digits digits = Digits::Six);

/// The same of the elements at these places of the row-major order. Places past the last element are errors too.
Result<std::vector<std::string>> elementsAt(const Model &model, TensorId tensor, std::span<const std::uint64_t> places,
                                            Digits digits = Digits::Six);

} // namespace cutaway::ir
