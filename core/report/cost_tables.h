// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/ops/category.h"

namespace cutaway::report {

/// The summed cost of several nodes. Unknown costs count with their lower bounds, and their number is kept.
struct CostSum {
    ops::Cost cost;
    std::int64_t uncounted = 0; ///< nodes whose operations are not known
    std::int64_t unmoved = 0;   ///< nodes whose bytes are not known
    double seconds = 0;
    std::int64_t untimed = 0; ///< nodes without a time
};

/// One node. Names are the file's, sanitized.
struct NodeRow {
    ir::NodeId id;
    std::string name, op, scope, result, source;
    ops::Category category = ops::Category::Unknown;
    /// The node in whose region this one is; nothing for a node of the function's body.
    std::optional<ir::NodeId> within;
    ops::Cost cost;    ///< the cost of one execution, including regions
    ops::Cost atLeast; ///< `cost` where that is known, else a lower bound
    std::optional<analysis::Attainable> time;
    double secondsAtLeast = 0; ///< the time of the known part of the cost, if the time is not known
};

/// All nodes with one operator. Nodes in regions are counted here, but their cost is included in the cost of the
/// region's owner.
struct OperatorRow {
    std::string op;
    ops::Category category = ops::Category::Unknown;
    std::int64_t count = 0;
    std::int64_t inBody = 0; ///< how many of the operator's nodes are in the function's body, not in a region
    CostSum sum;
};

/// One call of a module, or a part that was found in the graph, with everything inside. Rows are in execution order, a
/// module before its contents.
struct ModuleRow {
    int depth = 0; ///< the depth of nesting; 0: the entire function
    std::string name{}, path{}, className{};
    std::string found{}; ///< the name of a found part (layout::FoundName); "": a module of the file
    std::int64_t nodes = 0, parameters = 0, parameterBytes = 0;
    CostSum sum{};
};

/// The costs of a function by node, operator and module.
struct CostTables {
    std::vector<NodeRow> nodes; ///< nodes in execution order; the nodes of a region follow the region's owner
    std::vector<OperatorRow> operators;
    std::vector<ModuleRow> modules;
};

/// Computes the tables. `estimate`: nullptr for a report without times.
CostTables costTables(const ir::Model &model, const analysis::Analysis &analysis, const analysis::Roofline *estimate);

} // namespace cutaway::report
