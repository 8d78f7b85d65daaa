// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether all attributes of modules that the graph sets are set in its body, one after the other.
bool setsAttributesInOrder(const ir::Graph &graph);

/// The pass that replaces reads of tensors from modules' attributes by the file's tensor, or by the value that was set
/// before. The values that attributes have in the end are lost; `lost` gets the attributes' names.
passes::Pass attributeReading(std::vector<std::string> &lost);

} // namespace cutaway::convert
