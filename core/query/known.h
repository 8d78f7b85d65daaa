// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/node_data/node_data.h"
#include "core/query/pattern.h"

#include <functional>
#include <optional>
#include <span>

namespace cutaway::query {

/// A function, and the figures that are known of it. Everything referred to must outlive this object.
struct Known {
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const analysis::Roofline *roofline = nullptr; ///< nullptr: no time is known
    /// Values of symbols, with which formulas of figures are compared. nullptr: formulas are compared by the limits of
    /// their symbols alone.
    const symbolic::Bindings *example = nullptr;
    /// Diagnostics; those on other functions are ignored.
    std::span<const ir::Diagnostic> diagnostics = {};
    std::function<std::optional<double>(ir::NodeId)> measured = {}; ///< seconds of a node; empty: nothing was measured
    const node_data::NodeData *data = nullptr;                      ///< nullptr: the user gave none
    std::function<bool(ir::NodeId)> isChanged = {}; ///< whether a node is changed; empty: there is no comparison
    /// Returns the nodes of the found parts of the graph whose names match; empty if no parts were looked for.
    std::function<std::vector<ir::NodeId>(const Pattern &)> nodesInPart = {};

    const ir::Function &function() const { return model.at(analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
};

} // namespace cutaway::query
