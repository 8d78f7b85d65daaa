// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/mark.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::layout {

/// Of the nodes of a function, and of who reads what.
struct NodeMarks {
    using Read = std::pair<ir::ValueId, ir::NodeId>;
    std::vector<Mark> nodes; ///< by NodeId; beyond its end: None
    std::set<Read> added, removed;
    std::set<Read> absent; ///< in neither state, of nodes that are

    Mark of(ir::NodeId node) const { return node.index < nodes.size() ? nodes[node.index] : Mark::None; }
    bool operator==(const NodeMarks &) const = default;
};

/// Of two states of one graph, by the ids that are for life.
NodeMarks marksBetween(const ir::Graph &before, const ir::Graph &after);

/// The same in a picture that has the nodes of further states (allStates()).
NodeMarks marksWithin(const ir::Graph &drawn, const ir::Graph &before, const ir::Graph &after);

/// Of the boxes and edges of a diagram.
struct Marks {
    struct OfBox {
        Mark mark = Mark::None; ///< of all that is in it: Changed, unless all of it was added, removed or is absent
        std::uint32_t added = 0, removed = 0, changed = 0, absent = 0; ///< nodes in it, itself included
        bool operator==(const OfBox &) const = default;
    };
    std::vector<OfBox> boxes; ///< by box
    std::vector<Mark> edges;  ///< by edge: Added, Removed, Absent or None

    bool isEmpty() const { return boxes.empty(); }
};
/// "+" of one node, "+2 −1 ~3" of what holds several; "" of what is as it was.
std::string badgeText(const Box &box, const Marks::OfBox &marks);
/// Where it is drawn: over the upper border at the right. `textWidth`: of the badge's text.
Rect badgeRect(const Box &box, double textWidth);

/// O(nodes + boxes · log).
Marks marksOf(const Diagram &diagram, const ir::Function &function, const NodeMarks &nodes);

/// With the boxes open that hold marked nodes, as long as they are few enough to be looked at.
Expansion withMarkedShown(Expansion expansion, const ir::Model &model, ir::FunctionId function, const NodeMarks &nodes);

} // namespace cutaway::layout
