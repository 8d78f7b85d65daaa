// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"

namespace cutaway::convert {

/// Makes a program of torch.export of a function of a TorchScript or ONNX model: calls are inlined, writes in place
/// resolved, loops of known length unrolled; branches that only the data decides become torch.cond, and loops
/// while_loop. Operators keep their overloads, those of ONNX become what lower-to-aten makes of them; parameters and
/// buffers keep their names. Numbers that are given stay inputs that have to be just these. Errors: a program already;
/// inputs whose types are not known, or that torch.export does not have; a pass that fails; cancelled.
Result<Converted> toPt2(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                        const Task &task = {});

} // namespace cutaway::convert
