// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"
#include "core/layout/diagram.h"

#include <string>
#include <vector>

namespace cutaway::layout {

/// Returns the lines of a node's card: the operator, its two or three main arguments ("64, 3×3, stride 2"), its
/// weights. `within` is the module whose name ("conv1") the card shows, since it has no box of its own; else the root.
std::vector<Line> describeNode(const ir::Model &model, const ir::NodeRef &node, ir::ScopeId within = {});

/// Returns a tensor's type as an edge label: "float16 [B, 64, 112, 112]".
std::string describeTensor(std::optional<ir::DType> dtype, const std::optional<ir::Shape> &shape);

/// Returns a type as an edge label: "float16 [B, 64, 112, 112]", "int"; "" for a type that is not shown.
std::string describeType(const ir::Context &context, ir::TypeId type);

/// Returns the last part of a class name: "Conv2d" for "torch.nn.modules.conv.Conv2d".
std::string_view shortClassName(std::string_view className);

} // namespace cutaway::layout
