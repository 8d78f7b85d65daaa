// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/softmax_arguments.h"

namespace cutaway::ops {

SoftmaxArguments softmaxArguments(const Call &call)
{
    SoftmaxArguments made;
    made.input = 0;
    if (call.isOnnx()) {
        made.flattens = call.opset() < 13;
        made.axis = call.has("axis") ? call.integer("axis") : made.flattens ? 1 : -1;
        return made;
    }
    made.axis = call.integer("dim");
    if (call.has("dtype"))
        made.dtype = call.dtype("dtype");
    else if (call.flag("half_to_float") == true)
        made.dtype = ir::DType::Float32;
    return made;
}

} // namespace cutaway::ops
