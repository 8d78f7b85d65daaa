// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// Returns the numbers of a list, of a small tensor or of a single number; an inner nothing is a number that is not
/// known. Nothing if their count is not known.
std::optional<std::vector<std::optional<double>>> floatValues(const Fact &fact);
/// Returns the numbers of floatValues() if all are known and none is NaN, so that they can be ordered.
std::optional<std::vector<double>> orderedFloatValues(const Fact &fact);

} // namespace cutaway::ops
