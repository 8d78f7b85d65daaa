// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/torch/determinism.h"

#include "core/ops/arguments/scatter_arguments.h"
#include "core/ops/operator.h"

namespace cutaway::ops {

bool variesAlways(const Call &) { return true; }

bool variesIfAccumulating(const Call &call) { return call.flag("accumulate") == true; }

bool variesWithWeights(const Call &call) { return call.has("weights"); }

bool variesAlongDim(const Call &call) { return call.has("dim"); }

bool variesIfReducing(const Call &call)
{
    using enum ScatterReduction;
    const auto reduction = scatterArguments(call).reduction;
    return reduction == Sum || reduction == Product || reduction == Mean;
}

bool variesOfFloats(const Call &call)
{
    const auto dtype = call.has("dtype") ? call.dtype("dtype") : call.dtypeOf(0u);
    return dtype && (ir::isFloating(*dtype) || ir::isComplex(*dtype));
}

bool variesOnCuda(const Call &call)
{
    const Operator *row = call.dialect() == "aten" ? findOperator("aten", call.name()) : nullptr;
    return row && row->traits.variesOnCuda && row->traits.variesOnCuda(call);
}

} // namespace cutaway::ops
