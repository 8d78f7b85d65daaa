// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

#include <string>
#include <vector>

namespace cutaway::convert {

/// Whether nodes of the graph put something into a list, a dictionary or an object, or make one of these from another.
bool changesContainers(const ir::Graph &graph);

/// Returns a pass that follows lists, tuples, dictionaries and objects from the node that makes them through all
/// changes. A node that takes something out reads what was put there last; a node that reads a whole container reads a
/// new one, made in front of it with the present contents. Tensors that are read from attributes of modules become the
/// file's, or what code has set before; what is set in the end is lost, and `lost` gets the attributes' names.
/// Containers that are used in another way stay as they are.
passes::Pass containerReading(std::vector<std::string> &lost);

} // namespace cutaway::convert
