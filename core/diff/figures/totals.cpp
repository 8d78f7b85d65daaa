// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/figures/totals.h"

#include "core/base/checked.h"

namespace cutaway::diff {

namespace {

/// Returns the bytes of all tensors of the file, each counted once.
ir::Dim weightBytes(const Side &side)
{
    std::int64_t sum = 0;
    for (const ir::Tensor &tensor : side.model.tensors) {
        const auto bytes = byteSize(tensor);
        const auto more = bytes ? checkedAdd(sum, *bytes) : std::nullopt;
        if (!more)
            return ir::UnknownDim{};
        sum = *more;
    }
    return sum;
}

} // namespace

std::vector<Figure> totalsOf(const Side &a, const Side &b)
{
    const analysis::Totals &before = a.analysis.totals, &after = b.analysis.totals;
    return {
        {"nodes", before.nodes, after.nodes},
        {"flops", before.cost.flops, after.cost.flops, before.atLeast.flops, after.atLeast.flops},
        {"other_flops", before.cost.otherFlops, after.cost.otherFlops, before.atLeast.otherFlops,
         after.atLeast.otherFlops},
        {"weight_bytes", weightBytes(a), weightBytes(b)},
        {"peak_activation_bytes", before.peakBytes, after.peakBytes, before.peakAtLeast, after.peakAtLeast},
    };
}

} // namespace cutaway::diff
