// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/lowerings/onnx_node.h"

namespace cutaway::passes {

// What several rules make of operators with windows. They read the windows of the node, whose first input is the data;
// channels may be the last dimension. Nothing, and the node says why, where torch has no such windows.

/// The convolution of these operands, which are those of the node in another form.
std::optional<Term> convolved(OnnxNode &n, const Term &x, const Term &weight, const Term &bias);
std::optional<Term> averagePooled(OnnxNode &n, const Term &x);

/// What ONNX Runtime computes behind what it has fused: the attribute `activation`, with its numbers in a list, or each
/// in an attribute. Nothing for one that is not known.
std::optional<Term> activated(OnnxNode &n, const Term &x);

} // namespace cutaway::passes
