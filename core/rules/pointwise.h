// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/onnx_node.h"

namespace cutaway::rules::to_aten {

// These functions serve several families: they make operators of one or two tensors that ONNX and torch have with the
// same meaning.

bool isFloatInput(const OnnxNode &n);
/// Returns the second operand in a shape that broadcasts with the first. Before operator set 7 its first dimension is
/// aligned with a given axis of the first operand.
Term alignedSecond(OnnxNode &n);
/// Returns the second input as alignedSecond() does; a constant without dimensions becomes a number.
Term secondOf(OnnxNode &n);

/// Makes torch's operator of a tensor and a tensor or number: "add" for add.Tensor and add.Scalar.
template <AtenName target>
Parts binary(OnnxNode &n)
{
    const Term b = secondOf(n);
    const bool isNumber = !b.operand.as<ir::ValueId>();
    return {n.make(AtenName::computed(std::string(target) + (isNumber ? ".Scalar" : ".Tensor")), {n[0], b})};
}

} // namespace cutaway::rules::to_aten
