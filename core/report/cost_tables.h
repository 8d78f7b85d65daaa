// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/ops/category.h"

namespace cutaway::report {

/// What several nodes cost together, and how many of them are left out of each sum.
struct CostSum {
    ops::Cost cost;
    std::int64_t uncounted = 0; ///< nodes whose FLOPs are not known
    std::int64_t unmoved = 0;   ///< nodes whose bytes are not known
    double seconds = 0;
    std::int64_t untimed = 0; ///< nodes without a time
};

/// One node. Names are the file's, made safe to show.
struct NodeRow {
    ir::NodeId id;
    std::string name, op, scope, result, source;
    ops::Category category = ops::Category::Unknown;
    std::optional<ir::NodeId> within; ///< the node in whose region it stands
    ops::Cost cost;                   ///< of one execution; of a node with regions: with what runs in them
    std::optional<analysis::Attainable> time;
};

/// All nodes with one operator. What stands in a region is counted, and its cost is in the sum of the region's node.
struct OperatorRow {
    std::string op;
    ops::Category category = ops::Category::Unknown;
    std::int64_t count = 0;
    std::int64_t inBody = 0; ///< of these, nodes of the function's body
    CostSum sum;
};

/// One call of a module, with everything inside. Rows are in order of execution, a module before those in it.
struct ModuleRow {
    int depth = 0; ///< 0: the whole function
    std::string name, path, className;
    std::int64_t nodes = 0, parameters = 0, parameterBytes = 0;
    CostSum sum;
};

struct CostTables {
    std::vector<NodeRow> nodes; ///< in order of execution, a region after its node
    std::vector<OperatorRow> operators;
    std::vector<ModuleRow> modules;
};

/// `estimate`: nullptr for no times.
CostTables costTables(const ir::Model &model, const analysis::Analysis &analysis, const analysis::Roofline *estimate);

} // namespace cutaway::report
