// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <optional>
#include <string_view>

namespace cutaway::formats::safetensors {

/// "BF16"; "" for what the format has no element type for.
std::string_view nameInFile(ir::DType dtype);
/// Nothing for element types that Cutaway has none for: F6_E2M3, F6_E3M2, and those that are newer than it.
std::optional<ir::DType> dtypeOf(std::string_view nameInFile);

} // namespace cutaway::formats::safetensors
