// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <optional>
#include <string_view>

namespace cutaway::formats::safetensors {

/// The format's name of a dtype, "BF16"; "" for a dtype that the format does not have.
std::string_view nameInFile(ir::DType dtype);
/// The dtype of the format's name; nothing for element types that Cutaway does not have: F6_E2M3, F6_E3M2, and newer
/// ones.
std::optional<ir::DType> dtypeOf(std::string_view nameInFile);

} // namespace cutaway::formats::safetensors
