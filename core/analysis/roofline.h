// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/device.h"
#include "core/symbolic/evaluate.h"

#include <map>

namespace cutaway::analysis {

/// A lower bound of the time of one node: it computes at most at the device's peak, and moves at most at its bandwidth
/// (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009). Caches, fusion and kernel launches are not modelled.
struct Attainable {
    enum class Bound : std::uint8_t { Compute, Memory, Nothing };
    double seconds = 0;
    double operations = 0; ///< floating-point, of all kinds
    double intensity = 0;  ///< `operations` per byte moved; 0 for a node that moves nothing
    Bound bound = Bound::Nothing;
};

/// The least time that each node of a function can take on a device.
struct Roofline {
    std::vector<std::optional<Attainable>>
        nodes;                            ///< by NodeId, of one execution; nothing where a figure is not a number
    std::map<ir::NodeId, double> atLeast; ///< seconds of the rest, as far as their costs are known
    double seconds = 0;                   ///< the time of all nodes of the body, as far as their costs are known
    std::int64_t unknown = 0;             ///< nodes of the body whose costs are not known
    std::string reason;                   ///< why the first of `unknown` is not known; "" if none
    std::optional<double> neededBytes;    ///< weights and peak activations; nothing while not known
    bool fits = false;                    ///< whether these go into the device's memory
};

/// `weightBytes`: of the storages of parameters, buffers and constants. Formulas are unknown, unless `sizes` has a
/// value for each of their symbols.
Roofline roofline(const ir::Model &model, const Analysis &analysis, const Device &device, double weightBytes,
                  const symbolic::Bindings &sizes = {});

} // namespace cutaway::analysis
