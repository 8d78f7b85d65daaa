// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

namespace cutaway::passes {

/// Finds the first step (from 1) with a bad state, if the last state is bad, by binary search: `isGood` is called about
/// log2(steps) times. If good and bad states alternate, it is a bad step right after a good one. Errors: those of
/// `isGood`.
Result<std::optional<std::size_t>> firstBadStep(const History &history,
                                                const std::function<Result<bool>(const ir::Model &)> &isGood);

} // namespace cutaway::passes
