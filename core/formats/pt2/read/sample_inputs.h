// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace cutaway::formats::pt2 {

/// Returns the (args, kwargs) of a torch.save file as types and small values: "((float32[1, 3], 2), {scale: 1.5})";
/// nothing if it cannot be read. Bytes of tensors are not read.
std::optional<std::string> describeSampleInputs(std::span<const std::byte> bytes);

} // namespace cutaway::formats::pt2
