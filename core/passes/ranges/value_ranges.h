// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::passes {

/// The smallest and the largest element that a value had in runs; finite, the first not above the second.
struct ValueRange {
    double min = 0, max = 0;
    bool operator==(const ValueRange &) const = default;
};
/// Ranges by the value's name.
using ValueRanges = std::map<std::string, ValueRange, std::less<>>;

/// The ranges of a model's values, with information on the runs that they were found in.
struct Calibration {
    std::string model, backend;
    std::size_t samples = 0;
    std::optional<double> percentile; ///< the percentile that bounds the ranges; nothing: all elements are inside
    ValueRanges values;
};

/// Returns the document that the command `calibrate` writes, schema "cutaway.ranges/1".
std::string printRanges(const Calibration &calibration);
/// Reads the format of printRanges(). Errors (Usage): the found and the expected syntax.
Result<ValueRanges> parseRanges(std::string_view text);

} // namespace cutaway::passes
