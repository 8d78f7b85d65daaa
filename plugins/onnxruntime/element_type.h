// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <onnxruntime_cxx_api.h>
#include <optional>

namespace cutaway::plugins {

/// Nothing: the other side has no such type.
std::optional<ir::DType> dtypeOf(ONNXTensorElementDataType type);
std::optional<ONNXTensorElementDataType> elementTypeOf(ir::DType dtype);

} // namespace cutaway::plugins
