// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"

#include <unordered_set>

namespace cutaway::convert {

inline constexpr double maxFloat16 = 65504;

struct Float16Options {
    bool keepsInputsAndResults = true;             ///< inputs and results stay float32, and are cast
    std::unordered_set<ir::ValueId> tooLarge = {}; ///< results of nodes that float16 does not hold, as a run has shown
};

/// Makes an ONNX model compute in float16 where it computed in float32. Nodes stay in float32 if their operator does
/// not take float16 in the model's opset, if they have constants or results that float16 does not hold, if they read
/// values that come from such nodes, or if they have regions; casts connect them with the others. The notes say how
/// many nodes of which operator stay, and why. Whether a computation on the user's data overflows is not known. Errors:
/// no ONNX model, or functions that cannot be inlined (Usage); cancelled.
Result<Converted> toFloat16(const ir::Model &model, const Float16Options &options, const Task &task = {});

} // namespace cutaway::convert
