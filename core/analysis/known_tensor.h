// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sizes.h"
#include "core/ops/facts/fact.h"

namespace cutaway::analysis {

/// What a report says of a value that may be a tensor.
struct KnownTensor {
    bool isTensor = false;
    std::optional<ir::DType> dtype;
    std::optional<ir::Shape> shape;
};

/// What was derived of a value. What the file says of it counts only in a function that was not looked at (nullptr).
KnownTensor knownOf(const Sizes &sizes, const ir::Type &declared, const ops::Fact *derived);

} // namespace cutaway::analysis
