// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/device.h"
#include "core/symbolic/evaluate.h"

#include <map>

namespace cutaway::analysis {

/// A lower bound of the time of one node: a node computes at most at the device's peak, and reads and writes memory at
/// most at the device's bandwidth (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009). Caches, fusion and
/// kernel launches are not modelled.
struct Attainable {
    enum class Bound : std::uint8_t { Compute, Memory, Nothing };
    double seconds = 0;
    double operations = 0; ///< floating point operations of all kinds
    double intensity = 0;  ///< `operations` per byte of memory traffic; 0 for a node without traffic
    Bound bound = Bound::Nothing;
};

/// The least time that each node of a function can take on a device.
struct Roofline {
    /// By NodeId: the bound for one execution; nothing if a figure of the node's cost is not a number, or if the device
    /// has no peak for the node's dtype.
    std::vector<std::optional<Attainable>> nodes;
    std::map<ir::NodeId, double> atLeast; ///< lower bounds in seconds for the other nodes
    double seconds = 0;       ///< the sum over all nodes of the body, with lower bounds where a time is not known
    std::int64_t unknown = 0; ///< the number of nodes of the body whose times are not known
    std::string reason;       ///< why the time of the first node of `unknown` is not known; "" if all are known
    std::optional<double> neededBytes; ///< bytes of weights and of the activations' peak; nothing if not known
    bool fits = false;                 ///< whether the needed bytes fit into the device's memory
};

/// Returns the bounds of all nodes of the analysed function. `weightBytes`: the bytes of the storages of parameters,
/// buffers and constants. A figure that is a formula counts as unknown, unless `sizes` has a value for each of its
/// symbols.
Roofline roofline(const ir::Model &model, const Analysis &analysis, const Device &device, double weightBytes,
                  const symbolic::Bindings &sizes = {});

} // namespace cutaway::analysis
