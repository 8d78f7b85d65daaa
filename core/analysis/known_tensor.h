// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/recorded_sizes.h"
#include "core/ops/facts/fact.h"

namespace cutaway::analysis {

/// The dtype and shape of a tensor that the analysis or the file gives; either may be unknown.
struct KnownTensor {
    std::optional<ir::DType> dtype;
    std::optional<ir::Shape> shape;
};

/// Whether two facts exclude each other by dtype, rank or size.
bool isContradiction(const ops::TensorFact &derived, const ops::TensorFact &recorded);
/// Whether the dtype and all sizes of a value are known. Numbers, texts and objects have neither and so count as known;
/// a value of unknown type may be a tensor and so does not.
bool isWhollyKnown(const ops::Fact &fact, const ir::Type &type);

/// The known dtype and shape of a value; nothing if the value is not a tensor, as far as is known. `derived`: the fact
/// that the analysis found, which alone counts; nullptr for a value of a function that was not analysed, whose declared
/// type counts.
std::optional<KnownTensor> knownTensor(const RecordedSizes &sizes, const ir::Type &declared, const ops::Fact *derived);

} // namespace cutaway::analysis
