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
/// The windows between an input and its result; nothing where they are not known.
std::optional<KnownWindows> knownWindows(const std::optional<ops::Windows> &windows, const OnnxNode::Tensor &x,
                                         const OnnxNode::Tensor &y);
/// Pads `x` with `value` by an operator of its own.
Term padded(const Term &x, const KnownWindows &windows, double value);
/// Whether torch's pools can pad so: on both sides alike, and by half a kernel at most.
bool canPad(const KnownWindows &windows);

// Convolutions and pools, for the rules of several families. They read the windows of the node, whose first input is
// the data; channels may be the last dimension. The rule is refused where torch has no such windows.

/// Makes the convolution of these operands, which are those of the node in another form.
Term convolved(OnnxNode &n, const Term &x, const Term &weight, const Term &bias);
/// Makes the average pool of `x`, which is the first input in another form.
Term averagePooled(OnnxNode &n, const Term &x);

} // namespace cutaway::rules::to_aten
