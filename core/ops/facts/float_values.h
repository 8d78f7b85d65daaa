// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// The numbers of a list, of a small tensor or of a single number; empty where one is not known. Nothing if their count
/// is not known.
std::optional<std::vector<std::optional<double>>> floatValues(const Fact &fact);
/// The numbers of floatValues() if all are known and can be put in order: none is NaN.
std::optional<std::vector<double>> orderedFloatValues(const Fact &fact);

} // namespace cutaway::ops
