// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <string>
#include <vector>

namespace cutaway::formats::onnx {

/// A module call that torch's exporter named with a number, "relu_1", beside a module "relu".
struct NumberedBox {
    ir::ScopeId first; ///< the scope of "relu"
    std::string name;  ///< "relu_1"
};
/// The numbered boxes by scope. The scope is the one that a node of the box has if the box is a later call of the
/// first.
using NumberedBoxes = std::map<ir::ScopeId, NumberedBox>;

/// Returns the final scopes of a graph's nodes, by NodeId. `scopes` treat every numbered box as a later call, and are
/// of `context`. A numbered box stays a later call of the first one if it shares weights with it, or does the same with
/// the same constants; else it becomes a module of its own.
std::vector<ir::ScopeId> settledScopes(const ir::Model &model, const ir::Graph &graph, std::vector<ir::ScopeId> scopes,
                                       const NumberedBoxes &boxes, ir::Context &context);

} // namespace cutaway::formats::onnx
