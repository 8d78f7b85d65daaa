// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"

namespace cutaway::analysis {

/// A symbol and its values in order.
struct Variation {
    std::string symbol;
    std::vector<std::int64_t> values;
};

/// The costs of one execution at one value of the symbol. With other symbols unbound the figures are formulas.
struct SweepPoint {
    std::int64_t value = 0;
    ops::Cost cost;
    ir::Dim peakBytes = ir::UnknownDim{};
    std::optional<double> seconds = {}; ///< the time on the device; nothing if the time of some node is not known
    ops::Cost atLeast = {};             ///< `cost`, with a lower bound for figures that are not known
    ir::Dim peakAtLeast = std::int64_t{0};
    std::int64_t costUnknown = 0; ///< nodes whose operations are not known
    bool operator==(const SweepPoint &) const;
};

/// The costs of a function by the value of one symbol.
struct Sweep {
    std::string symbol;
    std::vector<SweepPoint> points;
};

/// The costs of a function at the values of a symbol that `given` does not bind. They are computed from the formulas of
/// the analysis, if these agree with the analysis at chosen values; else the function is analysed at each value.
/// `device`: nullptr if no times are wanted. If cancelled, the points so far are returned.
Sweep sweep(const ir::Model &model, ir::FunctionId function, const Given &given, const Variation &variation,
            const Device *device = nullptr, const Task &task = {});

} // namespace cutaway::analysis
