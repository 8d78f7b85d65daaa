// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/onnx_node.h"

namespace cutaway::rules::to_aten {

// Operators of one or two tensors that torch has with the same meaning, for the rules of several families.

bool isFloatInput(const OnnxNode &n);
/// The second operand, so that it broadcasts. Before operator set 7 its first dimension stands at an axis of the first.
Term alignedSecond(OnnxNode &n);
/// The second input, aligned with the first; a constant without dimensions becomes a number.
Term secondOf(OnnxNode &n);

/// torch's operator of a tensor and a tensor or number: "add" for add.Tensor and add.Scalar.
template <AtenName target>
Parts binary(OnnxNode &n)
{
    const Term b = secondOf(n);
    const bool isNumber = !b.operand.as<ir::ValueId>();
    return {n.make(AtenName::computed(std::string(target) + (isNumber ? ".Scalar" : ".Tensor")), {n[0], b})};
}

} // namespace cutaway::rules::to_aten
