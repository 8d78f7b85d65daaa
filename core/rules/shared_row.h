// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/lowering.h"
#include "core/rules/onnx_node.h"

namespace cutaway::rules {

/// Operators of aten and ONNX that compute the same of one tensor, element by element, and take nothing else: those of
/// a shared row. They need no rule of their own.
struct SharedRow {
    std::string_view aten, onnx; ///< "sin", "Sin"
};
/// The pair with an operator of one of both dialects; nullptr if there is none.
const SharedRow *sharedRowOf(std::string_view dialect, std::string_view name);

namespace to_aten {
Parts madeBySharedRow(OnnxNode &n);
}
namespace to_onnx {
/// Converts what is no float to the result's dtype.
Results madeBySharedRow(Lowering &l);
} // namespace to_onnx

} // namespace cutaway::rules
