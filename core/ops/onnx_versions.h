// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/facts/fact.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/onnx_types.h"

namespace cutaway::ops {

/// Returns an operator of ONNX's default operator set as it is in this version of the set; nullptr if this version
/// does not have it, or ONNX does not know it.
const OnnxOperator *onnxVersionIn(std::string_view name, std::int64_t opset);

/// Returns the first part of a node that this version of its operator does not allow: "3 inputs", "an attribute
/// axes"; nothing if there is none. `graphAttributes`: the names of the attributes that are the node's regions.
std::optional<std::string> excessOf(const ir::NodeRef &node, const OnnxOperator &version,
                                    std::vector<std::string_view> graphAttributes = {});

/// Returns a message about the first attribute of a node that is missing or has another type: "its attribute axis is
/// a float, expected is an integer".
std::optional<std::string> wrongAttribute(const ir::NodeRef &node, const OnnxTypes &types);

/// The letter of the type of a value in OnnxTypes; nothing if the type is not known, or is no type of ONNX.
std::optional<char> onnxTypeLetter(const Fact &fact);

/// The default of an attribute that a node leaves out.
struct OnnxDefault {
    ir::Operand value;
    bool isOfEachAxis = false; ///< the default is a list with this value for each axis
};
/// Returns nothing if ONNX has no default for the attribute, or a default that is neither a number nor a text.
std::optional<OnnxDefault> onnxDefault(ir::Context &context, std::string_view op, std::string_view attribute,
                                       std::int64_t opset);

} // namespace cutaway::ops
