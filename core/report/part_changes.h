// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/difference.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// The differences in a part that was found in A's graph (layout::FoundName), those of parts inside it included.
struct PartChanges {
    std::string name;      ///< "stage 3"
    std::size_t nodes = 0; ///< nodes of A in the part
    /// Numbers of nodes; the nodes of replaced regions count as only in A or only in B.
    std::size_t changed = 0, onlyA = 0, onlyB = 0;
    bool isReplaced() const { return onlyA == nodes; }
};

/// Returns the parts with differences, outer before inner ones; parts inside a replaced one are left out. A node that
/// only B has belongs to the innermost part that contains both matched nodes beside it in B's order.
std::vector<PartChanges> partChanges(const Comparison &comparison);

/// Returns "replaced", or "2 changed, 1 added".
std::string partText(const PartChanges &part);

} // namespace cutaway::report
