// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/survey/database/database.h"

namespace cutaway::survey {

/// A backend, machine and request that something was measured with: a column of the matrix.
struct MeasuredOn {
    std::string backend, machine, request;
    auto operator<=>(const MeasuredOn &) const = default;
};
MeasuredOn measuredOn(const Measurement &measurement);
/// Returns the columns of all measurements, each once, by backend, machine and request.
std::vector<MeasuredOn> allMeasuredOn(const std::vector<Entry> &entries);
/// Returns a title that distinguishes a column from the others: "torch", "torch on gpu1", "torch on gpu1, N=8".
std::string titleOf(const MeasuredOn &one, const std::vector<MeasuredOn> &all);

/// Returns the section on the times of runs: a table with a row per model and a column per backend, machine and
/// request; a picture of measured against predicted times; and a table of the models that were not measured, with the
/// reasons. The first table has no rows if nothing was to be measured.
report::Section measurementSection(const std::vector<Entry> &entries);

} // namespace cutaway::survey
