// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"

#include <unordered_set>

namespace cutaway::convert {

inline constexpr double maxFloat16 = 65504;

struct Float16Options {
    bool keepsInputsAndResults = true;             ///< they stay float32, and are cast
    std::unordered_set<ir::ValueId> tooLarge = {}; ///< results of nodes that float16 does not hold, as a run has shown
};

/// An ONNX model that computes in float16 what it computed in float32. In float32 stay: nodes whose operator does not
/// take float16 in the model's opset, that have constants which float16 does not hold, that read what came of such
/// ones, and nodes with regions; casts stand between. The notes say how many of which operator stay, and why. Whether
/// what is computed of the user's data overflows is not known. Errors (Usage): no ONNX model, functions that are not
/// inlined.
Result<Converted> toFloat16(const ir::Model &model, const Float16Options &options, const Task &task = {});

} // namespace cutaway::convert
