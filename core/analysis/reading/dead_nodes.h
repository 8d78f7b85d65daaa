// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::analysis {

/// The nodes without effects whose results nothing reads, or only such nodes; readers before what they read. A node's
/// regions go with it: what is in them is not listed, unless its owner stays.
std::vector<ir::NodeRef> deadNodes(Reading &reading);

} // namespace cutaway::analysis
