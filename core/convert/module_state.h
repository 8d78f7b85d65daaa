// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether all attributes of modules that the graph sets are set in its body, one after the other.
bool setsAttributesInOrder(const ir::Graph &graph);

/// Tensors that are read from attributes become the file's, or what was set before; what is set in the end is lost,
/// and `lost` gets the attributes' names.
passes::Pass attributeReading(std::vector<std::string> &lost);

} // namespace cutaway::convert
