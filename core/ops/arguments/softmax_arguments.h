// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The arguments of a softmax or its logarithm, with the same meaning in all dialects.
struct SoftmaxArguments {
    Position input;
    std::optional<std::int64_t> axis; ///< negative numbers count from the end; nothing: not known
    /// ONNX before operator set 13: elements of the axis and of all dimensions after it sum up to 1 together.
    bool flattens = false;
    Given<ir::DType> dtype; ///< the result's dtype; the input is converted to it first
};

SoftmaxArguments softmaxArguments(const Call &call);

} // namespace cutaway::ops
