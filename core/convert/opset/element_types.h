// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <string>

namespace cutaway::convert {

/// Whether an operator takes tensors of a dtype as an input, or makes them as a result; nothing for an operator,
/// position or dtype that ONNX does not know.
std::optional<bool> takesInput(std::string_view op, std::int64_t opset, std::size_t position, ir::DType dtype);
std::optional<bool> makesResult(std::string_view op, std::int64_t opset, std::size_t position, ir::DType dtype);

/// Returns why `opset` does not take the dtypes of a node's inputs and results: "opset 12 does not take bfloat16";
/// nothing if it does. A dtype that the opset `before` did not take either is no reason.
std::optional<std::string> typeFault(const ir::NodeRef &node, const analysis::Shapes &shapes, std::int64_t before,
                                     std::int64_t opset);

} // namespace cutaway::convert
