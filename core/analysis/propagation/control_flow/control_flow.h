// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <vector>

namespace cutaway::analysis {

// Facts at control flow: a rule per construct. A branch that is known to be taken decides the results alone; otherwise
// they are what both sides agree on, but for a side that ends in an exception. A loop is walked iteration by iteration
// as long as it is known whether another iteration follows, if there are few. Any other loop is walked until the values
// that it carries stop changing: each iteration joins what the one before found, sizes that differ become unknown, and
// so it ends after a few.

/// The outcome of a node that runs regions.
struct Outcome {
    ops::Facts results;
    BoundedCost cost;
    struct Alias {
        ir::ValueId output, value;
    };
    std::vector<Alias> aliases = {}; ///< outputs that may be values of a region themselves, and not copies
    std::string reason = {};         ///< why the cost is not known although the regions' costs are; else ""
};

/// Enters the regions of a node and returns the outcome.
Outcome runRegions(const ir::NodeRef &node, Walk &walk);

Outcome runBranch(const ir::NodeRef &node, Walk &walk);    ///< prim::If, onnx::If, higher_order::cond
Outcome runLoop(const ir::NodeRef &node, Walk &walk);      ///< prim::Loop, onnx::Loop
Outcome runWhileLoop(const ir::NodeRef &node, Walk &walk); ///< higher_order::while_loop
Outcome runScan(const ir::NodeRef &node, Walk &walk);      ///< onnx::Scan, higher_order::scan, associative_scan
Outcome runMap(const ir::NodeRef &node, Walk &walk);       ///< higher_order::map
Outcome runSequenceMap(const ir::NodeRef &node, Walk &walk);
/// Propagates through code that runs once in its place: fork, autocast and no-grad blocks, checkpoints.
Outcome runInline(const ir::NodeRef &node, Walk &walk);

} // namespace cutaway::analysis
