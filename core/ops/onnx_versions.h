// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/facts/fact.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/onnx_types.h"

namespace cutaway::ops {

/// An operator of ONNX's default operator set in this version of the set; nullptr if the set does not have it yet, or
/// ONNX does not know it.
const OnnxOperator *onnxVersionIn(std::string_view name, std::int64_t opset);

/// The first thing of a node that this version of its operator does not allow: "3 inputs", "an attribute axes"; nothing
/// if there is none. `graphAttributes`: the names of the attributes that are the node's regions.
std::optional<std::string> excessOf(const ir::NodeRef &node, const OnnxOperator &version,
                                    std::vector<std::string_view> graphAttributes = {});

/// An error about the first attribute of a node that has another type or is missing: "its attribute axis is a float,
/// expected is an integer".
std::optional<std::string> wrongAttribute(const ir::NodeRef &node, const OnnxTypes &types);

/// The letter in OnnxTypes of the type of a value; nothing if the type is not known, or is none of ONNX.
std::optional<char> onnxTypeLetter(const Fact &fact);

/// The default of an attribute that a node leaves out.
struct OnnxDefault {
    ir::Operand value;
    bool isOfEachAxis = false; ///< the default is a list of this value, with as many items as there are axes
};
/// Nothing if ONNX has no default for the attribute, or none that is a number or text.
std::optional<OnnxDefault> onnxDefault(ir::Context &context, std::string_view op, std::string_view attribute,
                                       std::int64_t opset);

} // namespace cutaway::ops
