// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"
#include "core/layout/diagram.h"

#include <string>
#include <vector>

namespace cutaway::layout {

/// The lines of a node's card: operator, the two or three main arguments ("64, 3×3, stride 2"), weights. `within` is
/// the module that gives the node its name if that has no box of its own ("conv1"), or the root.
std::vector<Line> describeNode(const ir::Model &model, const ir::NodeRef &node, ir::ScopeId within = {});

/// A tensor's type as an edge label: "float16 [B, 64, 112, 112]".
std::string describeTensor(std::optional<ir::DType> dtype, const std::optional<ir::Shape> &shape);

/// A type as an edge label: "float16 [B, 64, 112, 112]", "int", "".
std::string describeType(const ir::Context &context, ir::TypeId type);

/// The last part of a class name: "torch.nn.modules.conv.Conv2d" → "Conv2d".
std::string_view shortClassName(std::string_view className);

} // namespace cutaway::layout
