// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <optional>
#include <string_view>

namespace cutaway::formats::safetensors {

/// Returns the name that the format has for a dtype, "BF16"; "" if it has none.
std::string_view nameInFile(ir::DType dtype);
/// Returns the dtype with this name in the format; nothing for F6_E2M3, F6_E3M2 and newer ones, which Cutaway lacks.
std::optional<ir::DType> dtypeOf(std::string_view nameInFile);

} // namespace cutaway::formats::safetensors
