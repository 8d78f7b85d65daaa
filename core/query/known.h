// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/node_data/node_data.h"
#include "core/query/pattern.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::query {

/// A function and what is known of it. What is referred to has to outlive it.
struct Known {
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const analysis::Roofline *roofline = nullptr; ///< nullptr: no time is known
    /// Values of symbols, at which formulas of figures are compared; nullptr: by what is known of the symbols alone.
    const symbolic::Bindings *example = nullptr;
    /// Of any function.
    std::span<const ir::Diagnostic> diagnostics = {};
    std::function<std::optional<double>(ir::NodeId)> measured = {}; ///< seconds; empty: nothing was measured
    const node_data::NodeData *data = nullptr;                      ///< nullptr: the user gave none
    std::function<bool(ir::NodeId)> isChanged = {};                 ///< empty: it is not compared with another one
    /// The nodes of the parts that were found in the graph and are called so; empty: it was not looked for any.
    std::function<std::vector<ir::NodeId>(const Pattern &)> nodesInPart = {};

    const ir::Function &function() const { return model.at(analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
};

} // namespace cutaway::query
