// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/lowering.h"
#include "core/rules/onnx_node.h"

namespace cutaway::rules {

/// A pair of operators, one of aten and one of ONNX, that have a row in common and compute the same, element by
/// element, from one tensor and no other arguments. They need no rule of their own.
struct SharedRow {
    std::string_view aten, onnx; ///< "sin", "Sin"
};
/// Returns the pair that an operator of one of the two dialects belongs to; nullptr if there is none.
const SharedRow *sharedRowOf(std::string_view dialect, std::string_view name);

namespace to_aten {
Parts madeBySharedRow(OnnxNode &n);
}
namespace to_onnx {
/// Makes the other operator of the pair. Operands that are no floats are converted to the result's dtype.
Results madeBySharedRow(Lowering &l);
} // namespace to_onnx

} // namespace cutaway::rules
