// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/ops/category.h"

#include <optional>
#include <set>

namespace cutaway::layout {

/// Which boxes of a function are open, by subject.
struct Expansion {
    std::set<Subject> open;
    bool everything = false; ///< all boxes are open, regardless of the set
    bool flat = false;       ///< no module boxes at all, every node in one plane

    bool isOpen(const Subject &s) const { return everything || open.contains(s); }
};

/// The nodes that a diagram leaves out.
struct Hidden {
    std::set<ops::Category> kinds{};
    std::optional<ir::NodeId> but{}; ///< a node that is shown all the same
    bool operator==(const Hidden &) const = default;
};

struct Outline;

/// Opens modules level by level while the picture has at most about `boxBudget` boxes, and regions of control flow in
/// them while they fit. A module that contains only one other part is opened in any case. Plumbing does not count and
/// stays closed, as do repeated equal modules; modules of nodes alone are opened while they leave half of the boxes to
/// others.
Expansion readableExpansion(const ir::Graph &graph, const Outline &outline, std::size_t boxBudget = 60);
Expansion readableExpansion(const ir::Model &model, ir::FunctionId function, std::size_t boxBudget = 60);

/// Opens modules down to `depth` levels (0: all closed); plumbing stays closed.
Expansion expansionToDepth(const Outline &outline, int depth);
Expansion expansionToDepth(const ir::Model &model, ir::FunctionId function, int depth);

/// Returns the boxes that must be open for a node to be visible.
std::vector<Subject> enclosing(const Outline &outline, ir::NodeId node);

} // namespace cutaway::layout
