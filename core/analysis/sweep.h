// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"

namespace cutaway::analysis {

/// A symbol and the values that it takes in turn.
struct Variation {
    std::string symbol;
    std::vector<std::int64_t> values;
};

/// What one execution costs at one of them. With other symbols unbound the figures are formulas.
struct SweepPoint {
    std::int64_t value = 0;
    ops::Cost cost;
    ir::Dim peakBytes = ir::UnknownDim{};
    std::optional<double> seconds = {}; ///< on the device; nothing while that of some node is not known
    ops::Cost atLeast = {};             ///< `cost`, and what is known of figures that are not
    ir::Dim peakAtLeast = std::int64_t{0};
    std::int64_t costUnknown = 0; ///< nodes whose operations are not known
    bool operator==(const SweepPoint &) const;
};

struct Sweep {
    std::string symbol;
    std::vector<SweepPoint> points;
};

/// The costs of a function against a symbol that `given` does not bind. What the analysis gives as formulas is computed
/// from these, if they agree with the analysis at chosen values; else the function is analysed at each value.
/// `device`: nullptr for no times. Cancelled: the points so far.
Sweep sweep(const ir::Model &model, ir::FunctionId function, const Given &given, const Variation &variation,
            const Device *device = nullptr, const Task &task = {});

} // namespace cutaway::analysis
