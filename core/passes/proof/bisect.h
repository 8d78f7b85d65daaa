// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

namespace cutaway::passes {

/// Finds the first step, counted from 1, after which the state is bad, by binary search: `isGood` is called about
/// log2(steps) times. Returns nothing if the last state is good. If good and bad states alternate, the step is one
/// after which the state is bad and before which it is good. Errors: those of `isGood`.
Result<std::optional<std::size_t>> firstBadStep(const History &history,
                                                const std::function<Result<bool>(const ir::Model &)> &isGood);

} // namespace cutaway::passes
