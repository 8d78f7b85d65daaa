// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

namespace cutaway::passes {

/// The first step (from 1) after which a state is not good any more, if the last one is not: found by halving, so each
/// state is asked about at most about log2(steps) times, and of several bad steps one is told after which none is good.
/// Errors: those of `isGood`.
Result<std::optional<std::size_t>> firstBadStep(const History &history,
                                                const std::function<Result<bool>(const ir::Model &)> &isGood);

} // namespace cutaway::passes
