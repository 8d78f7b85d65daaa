// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The arguments of a softmax or its logarithm, with the same meaning in all dialects.
struct SoftmaxArguments {
    Position input;
    std::optional<std::int64_t> axis; ///< negative numbers count from the end; nothing: not known
    /// Whether the elements of the axis and of all dimensions after it together sum up to 1, as in ONNX before operator
    /// set 13.
    bool flattens = false;
    Given<ir::DType> dtype; ///< the dtype to which the input is converted first, and that of the result
};

SoftmaxArguments softmaxArguments(const Call &call);

} // namespace cutaway::ops
