// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/recorded_sizes.h"
#include "core/ops/facts/fact.h"

namespace cutaway::analysis {

/// What is known of a tensor, from the analysis or from the file.
struct KnownTensor {
    std::optional<ir::DType> dtype;
    std::optional<ir::Shape> shape;
};

/// Whether one of the two cannot be: another dtype, rank or size.
bool isContradiction(const ops::TensorFact &derived, const ops::TensorFact &recorded);
/// Whether nothing of a value's dtype and sizes is unknown. A number, text or object has none; a value of unknown type
/// may have.
bool isWhollyKnown(const ops::Fact &fact, const ir::Type &type);

/// Nothing if the value is not a tensor, as far as is known. `derived`: what the analysis found, which alone counts;
/// nullptr for a value of a function that was not analysed, of which the file's declaration counts.
std::optional<KnownTensor> knownTensor(const RecordedSizes &sizes, const ir::Type &declared, const ops::Fact *derived);

} // namespace cutaway::analysis
