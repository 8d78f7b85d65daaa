// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::analysis {

/// The nodes without effects whose results are read by nothing, or only by such nodes; readers stand before the nodes
/// that they read. The regions of such a node go with it: their nodes are not listed, unless the owner stays.
std::vector<ir::NodeRef> deadNodes(Reading &reading);

} // namespace cutaway::analysis
