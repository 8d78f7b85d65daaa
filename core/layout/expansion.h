// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"

#include <set>

namespace cutaway::layout {

/// Which boxes of a function are open, by subject.
struct Expansion {
    std::set<Subject> open;
    bool everything = false; ///< all boxes are open, whatever the set says
    bool flat = false;       ///< no module boxes at all, every node in one plane

    bool isOpen(const Subject &s) const { return everything || open.contains(s); }
};

/// Modules opened level by level as long as the picture keeps to about `boxBudget` boxes; regions of control flow
/// in what is open are open too while they fit. Equal modules in a row stay folded.
Expansion readableExpansion(const ir::Model &model, ir::FunctionId function, std::size_t boxBudget = 60);

/// Modules opened down to `depth` levels (0: all closed).
Expansion expansionToDepth(const ir::Model &model, ir::FunctionId function, int depth);

/// What must be open to see a node or value.
std::vector<Subject> enclosing(const ir::Model &model, ir::FunctionId function, ir::NodeId node);

} // namespace cutaway::layout
