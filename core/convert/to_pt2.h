// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"

namespace cutaway::convert {

/// Makes a program of torch.export of a function of a TorchScript or ONNX model: calls are inlined, writes in place
/// resolved, loops of known length unrolled; branches that only the data decides become torch.cond, and other loops
/// while_loop. Operators keep their overloads; operators of ONNX become what lower-to-aten makes of them; parameters
/// and buffers keep their names. A given number stays an input, which has to have this value. Errors: the model is a
/// program already; it has inputs whose types are not known, or that torch.export does not have; a pass fails;
/// cancelled.
Result<Converted> toPt2(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                        const Task &task = {});

} // namespace cutaway::convert
