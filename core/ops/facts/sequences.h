// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

// Python's operations on the facts of lists and tuples. For other facts the result is unknown.

/// The fact, or an unknown one if it has more parts than are followed: a file can double a list at every node.
Fact followable(Fact fact);

/// The number of items.
ir::Dim lengthOf(const Fact &sequence);
/// A fact that holds for every item.
Fact anyItem(const Fact &sequence);
/// Returns the fact of the item at an index, which may count from the end; a fact that holds for every item if the
/// index or the items are not known.
Fact itemOf(const Fact &sequence, const std::optional<ir::Dim> &index);
/// Returns the fact of sequence[start:end:step].
Fact sliced(const Fact &sequence, const ir::Dim &start, const ir::Dim &end, std::optional<std::int64_t> step);
/// Returns the fact of a + b.
Fact concatenated(const Fact &a, const Fact &b);
/// Returns the fact of sequence * times.
Fact repeated(const Fact &sequence, const std::optional<ir::Dim> &times);

} // namespace cutaway::ops
