// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/arguments/pool_arguments.h"
#include "core/rules/onnx_node.h"

namespace cutaway::rules::to_aten {

inline constexpr std::string_view unknownWindows = "its windows are not known, or of more than three dimensions";

/// Windows of one to three dimensions whose sizes are known: kernel, stride, dilation, padding before and after.
struct KnownWindows {
    OnnxNode::Numbers kernel, stride, dilation, before, after;

    bool isSymmetric() const { return before == after; }
};
/// Returns the windows between an input and its result; nothing if they are not known.
std::optional<KnownWindows> knownWindows(const std::optional<ops::Windows> &windows, const OnnxNode::Tensor &x,
                                         const OnnxNode::Tensor &y);
/// Pads `x` with `value` by a separate operator.
Term padded(const Term &x, const KnownWindows &windows, double value);
/// Whether torch's pools can pad as the windows say: on both sides alike, and by half a kernel at most.
bool canPad(const KnownWindows &windows);

// These functions make convolutions and pools, for the rules of several families. They read the windows of the node,
// which has the data as its first input; channels may be the last dimension. The rule is refused if torch has no such
// windows.

/// Makes the convolution of these operands, which are the node's own operands in another form.
Term convolved(OnnxNode &n, const Term &x, const Term &weight, const Term &bias);
/// Makes the average pool of `x`, which is the first input in another form.
Term averagePooled(OnnxNode &n, const Term &x);

} // namespace cutaway::rules::to_aten
