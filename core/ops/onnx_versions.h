// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/facts/fact.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/onnx_types.h"

namespace cutaway::ops {

/// What an operator of ONNX's default operator set is in this version of the set; nullptr if it is not there yet, and
/// for what ONNX does not know.
const OnnxOperator *onnxVersionIn(std::string_view name, std::int64_t opset);

/// What a node has that this version of its operator has not: "3 inputs", "an attribute axes". `graphAttributes`: the
/// names of the attributes that its regions are.
std::optional<std::string> excessOf(const ir::NodeRef &node, const OnnxOperator &version,
                                    std::vector<std::string_view> graphAttributes = {});

/// Says of the first attribute of a node that has another type or is missing what is wrong with it: "its attribute axis
/// is a float, expected is an integer".
std::optional<std::string> wrongAttribute(const ir::NodeRef &node, const OnnxTypes &types);

/// The letter of the types in OnnxTypes that what is known of a value has; nothing if that is not known, or none of
/// ONNX.
std::optional<char> onnxTypeLetter(const Fact &fact);

/// What an attribute is where a node leaves it out.
struct OnnxDefault {
    ir::Operand value;
    bool isOfEachAxis = false; ///< it is a list of these, with as many items as there are axes
};
/// Nothing if ONNX says of none, or not in numbers and texts.
std::optional<OnnxDefault> onnxDefault(ir::Context &context, std::string_view op, std::string_view attribute,
                                       std::int64_t opset);

} // namespace cutaway::ops
