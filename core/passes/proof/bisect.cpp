// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/proof/bisect.h"
#include "core/base/result.h"

namespace cutaway::passes {

Result<std::optional<std::size_t>> firstBadStep(const History &history,
                                                const std::function<Result<bool>(const ir::Model &)> &isGood)
{
    std::size_t good = 0, bad = history.steps().size() + 1; // states before `good` are assumed good
    CUTAWAY_TRY(const auto last, isGood(*history.modelAfter(bad - 1)));
    if (last)
        return std::nullopt;
    --bad;
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        CUTAWAY_TRY(const auto answer, isGood(*history.modelAfter(middle)));
        (answer ? good : bad) = middle;
    }
    return bad;
}

} // namespace cutaway::passes
