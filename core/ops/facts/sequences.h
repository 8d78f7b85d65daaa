// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

// What Python does with lists and tuples, on facts of them. A fact that is none gives one of which nothing is known.

/// The fact, or an unknown one if it has more parts than are followed: a file can double a list at every node.
Fact followable(Fact fact);

/// How many items there are.
ir::Dim lengthOf(const Fact &sequence);
/// What every item is.
Fact anyItem(const Fact &sequence);
/// The item at a position that may count from the end; what every item is if the position or the items are not known.
Fact itemOf(const Fact &sequence, const std::optional<ir::Dim> &index);
/// sequence[start:end:step]
Fact sliced(const Fact &sequence, const ir::Dim &start, const ir::Dim &end, std::optional<std::int64_t> step);
/// a + b
Fact concatenated(const Fact &a, const Fact &b);
/// sequence * times
Fact repeated(const Fact &sequence, const std::optional<ir::Dim> &times);
/// A list of so many items of which nothing but this is known.
Fact manyOf(Fact item, ir::Dim length = ir::UnknownDim{});

} // namespace cutaway::ops
