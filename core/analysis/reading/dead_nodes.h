// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::analysis {

/// Returns the nodes without effects whose results are read by nothing, or only by other dead nodes; readers stand
/// before the nodes that they read. Nodes in the regions of a dead node are not listed, since they go with it.
std::vector<ir::NodeRef> deadNodes(Reading &reading);

} // namespace cutaway::analysis
