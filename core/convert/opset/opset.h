// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"

namespace cutaway::convert {

// Versions of ONNX's operator set that ONNX models can be changed between.
inline constexpr std::int64_t firstOpset = 7;
inline constexpr std::int64_t lastOpset = 22;

/// Returns the ONNX model in another version of the operator set: each operator that a version on the way changed
/// becomes what its rule makes of it. If it has no rule, or the rule cannot express it, the operator is missing, and
/// the reason names the version that changed it. Functions of the model are inlined. Errors (Usage): no ONNX model,
/// versions out of range.
Result<Converted> toOpset(const ir::Model &model, std::int64_t opset, const Task &task = {});

} // namespace cutaway::convert
