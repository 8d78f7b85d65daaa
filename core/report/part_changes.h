// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/difference.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// Differences in a part of A that was found in its graph (layout::FoundName), those of parts inside it included.
struct PartChanges {
    std::string name;                              ///< "stage 3"
    std::size_t nodes = 0;                         ///< nodes of A in the part
    std::size_t changed = 0, onlyA = 0, onlyB = 0; ///< nodes of replaced regions are among those of one side
    bool isReplaced() const { return onlyA == nodes; }
};

/// The parts with differences, outer before inner; what is inside a replaced one is left out. A node that only B has is
/// in the innermost part that holds both matched nodes beside it, in the order of B.
std::vector<PartChanges> partChanges(const Comparison &comparison);

/// "replaced", "2 changed, 1 added"
std::string partText(const PartChanges &part);

} // namespace cutaway::report
