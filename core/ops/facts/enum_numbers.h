// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <optional>

namespace cutaway::ops {

// TorchScript writes torch's enumerations as numbers, those of c10's ScalarType, Layout and MemoryFormat.
std::optional<ir::DType> dtypeFromNumber(std::int64_t number);
std::optional<ir::Layout> layoutFromNumber(std::int64_t number);
std::optional<ir::MemoryFormat> memoryFormatFromNumber(std::int64_t number);

} // namespace cutaway::ops
