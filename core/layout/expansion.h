// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/ops/category.h"

#include <optional>
#include <set>

namespace cutaway::layout {

/// The open boxes of a function, by subject.
struct Expansion {
    std::set<Subject> open;
    bool everything = false; ///< whether all boxes are open, regardless of the set
    bool flat = false;       ///< whether there are no module boxes at all, and every node is in one plane

    bool isOpen(const Subject &s) const { return everything || open.contains(s); }
};

/// The nodes that a diagram leaves out.
struct Hidden {
    std::set<ops::Category> kinds{};
    std::optional<ir::NodeId> but{}; ///< a node that is shown even if its kind is hidden
    bool operator==(const Hidden &) const = default;
};

struct Outline;

/// Opens modules level by level while the picture has at most about `boxBudget` boxes, and regions of control flow in
/// them while they fit. A module that contains only one other part is opened in any case. Plumbing does not count and
/// stays closed, as do repeated equal modules. Modules that contain only nodes and plumbing are opened only while the
/// picture has at most about half of `boxBudget` boxes.
Expansion readableExpansion(const ir::Graph &graph, const Outline &outline, std::size_t boxBudget = 60);
Expansion readableExpansion(const ir::Model &model, ir::FunctionId function, std::size_t boxBudget = 60);

/// Opens modules down to `depth` levels (0: all closed); plumbing stays closed.
Expansion expansionToDepth(const Outline &outline, int depth);
Expansion expansionToDepth(const ir::Model &model, ir::FunctionId function, int depth);

/// Returns the boxes that must be open for a node to be visible.
std::vector<Subject> enclosing(const Outline &outline, ir::NodeId node);

} // namespace cutaway::layout
