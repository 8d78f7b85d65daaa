// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <optional>

namespace cutaway::formats::pt2 {

// The numbers of torch.export's schema, which are not those of PyTorch itself. Nothing for 0 (unknown) and numbers that
// no released schema has.
std::optional<ir::DType> dtypeFromNumber(std::int64_t number);
std::optional<ir::Layout> layoutFromNumber(std::int64_t number);
std::optional<ir::MemoryFormat> memoryFormatFromNumber(std::int64_t number);

} // namespace cutaway::formats::pt2
