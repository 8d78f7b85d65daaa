// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/text/placed_text.h"

#include <optional>
#include <string>

namespace cutaway::print {

/// Prints an ONNX model in ONNX's own text form, as onnx.printer writes it: all of it, or one function. Weights of more
/// than a few elements are declared without their elements. Errors (Usage): an operator that is not of ONNX; a model
/// without a graph.
Result<std::string> onnxText(const ir::Model &model, std::optional<ir::FunctionId> function);

/// Returns a function in ONNX's text form, with the positions of its nodes. Errors: those of onnxText().
Result<ir::PlacedText> placedOnnxText(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
