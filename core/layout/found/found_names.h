// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/outline.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::layout {

/// By value: the name of the parameter or buffer that a signature binds to the input, "layer3.0.conv1.weight".
using Targets = std::unordered_map<ir::ValueId, std::string_view>;
Targets targetsOf(const ir::Function &function);

/// Returns the path that the names of all weights that the nodes read have in common: "layer3.0" of
/// layer3.0.conv1.weight and layer3.0.bn1.bias. If no weight has a path, the names of results are used. "" if there is
/// none. Parts of a path stand between dots and slashes; names that an exporter made up, "onnx::Conv_12" and "n7", have
/// none. A weight without a target goes by its value's name.
std::string commonPath(const ir::Graph &graph, std::span<const ir::NodeId> nodes, const Targets &targets = {});

/// Numbers parts that were found with the same name, and drops each path that the part around has, too.
void makeNamesDistinct(const ir::Graph &graph, const Targets &targets, Outline &outline);

} // namespace cutaway::layout
