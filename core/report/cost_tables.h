// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/ops/category.h"

namespace cutaway::report {

/// The summed cost of several nodes, of those with an unknown cost what is known of it, and how many these are.
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
    std::optional<ir::NodeId> within; ///< the node whose region it is in
    ops::Cost cost;                   ///< the cost of one execution, regions included
    ops::Cost atLeast;                ///< `cost` where that is known
    std::optional<analysis::Attainable> time;
    double secondsAtLeast = 0; ///< where it has no time
};

/// All nodes with one operator. Nodes in regions are counted here; their cost is included in the sum of the region's
/// owner.
struct OperatorRow {
    std::string op;
    ops::Category category = ops::Category::Unknown;
    std::int64_t count = 0;
    std::int64_t inBody = 0; ///< how many of them are in the function's body
    CostSum sum;
};

/// One call of a module, or a part that was found in the graph, with everything inside. Rows are in execution order, a
/// module before its contents.
struct ModuleRow {
    int depth = 0; ///< 0: the whole function
    std::string name{}, path{}, className{};
    std::string found{}; ///< how a part is called that was found (layout::FoundName); "": it is a module of the file
    std::int64_t nodes = 0, parameters = 0, parameterBytes = 0;
    CostSum sum{};
};

/// The costs of a function by node, operator and module.
struct CostTables {
    std::vector<NodeRow> nodes; ///< in execution order, the nodes of a region after its owner
    std::vector<OperatorRow> operators;
    std::vector<ModuleRow> modules;
};

/// `estimate`: nullptr for a report without times.
CostTables costTables(const ir::Model &model, const analysis::Analysis &analysis, const analysis::Roofline *estimate);

} // namespace cutaway::report
