// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

#include <string>
#include <vector>

namespace cutaway::convert {

/// Whether code of the graph puts something into a list, a dictionary or an object, or makes one of another.
bool changesContainers(const ir::Graph &graph);

/// Follows lists, tuples, dictionaries and objects from the node that makes them through all that code puts in: who
/// takes something out reads what was put there last, and who gets the whole gets one that is made of it there. Tensors
/// that are read from attributes of modules become the file's, or what was set before; what is set in the end is lost,
/// and `lost` gets the attributes' names. Containers that do something else stay as they are.
passes::Pass containerReading(std::vector<std::string> &lost);

} // namespace cutaway::convert
