// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <string>
#include <vector>

namespace cutaway::formats::onnx {

/// A module call that torch's exporter named by a number: "relu_1", beside a module "relu".
struct NumberedBox {
    ir::ScopeId first; ///< the scope of "relu"
    std::string name;  ///< "relu_1"
};
/// The boxes by the scope that each was taken for: that of a later call of the first box.
using NumberedBoxes = std::map<ir::ScopeId, NumberedBox>;

/// The scopes of a graph's nodes, by NodeId, with each numbered box that is a module of its own as such: if it shares
/// no weights with the first one, and does not do the same with the same constants. `scopes` are of `context`.
std::vector<ir::ScopeId> settledScopes(const ir::Model &model, const ir::Graph &graph, std::vector<ir::ScopeId> scopes,
                                       const NumberedBoxes &boxes, ir::Context &context);

} // namespace cutaway::formats::onnx
