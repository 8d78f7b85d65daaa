// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/mark.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::layout {

/// Marks of a function's nodes, and of the reads: which node reads which value.
struct NodeMarks {
    using Read = std::pair<ir::ValueId, ir::NodeId>;
    std::vector<Mark> nodes; ///< by NodeId; None beyond the end
    std::set<Read> added, removed;
    std::set<Read> absent;              ///< reads that neither state has, by nodes that one state has
    std::map<ir::ValueId, Mark> inputs; ///< marks of the function's inputs that are not in both states
    std::vector<Mark> outputs;          ///< marks of the function's results, by index

    Mark of(ir::NodeId node) const { return node.index < nodes.size() ? nodes[node.index] : Mark::None; }
    bool operator==(const NodeMarks &) const = default;
};

/// Compares two states of one graph by the ids of nodes.
NodeMarks marksBetween(const ir::Graph &before, const ir::Graph &after);

/// Compares two states as marksBetween() does, for a picture `drawn` that has the nodes of further states
/// (allStates()).
NodeMarks marksWithin(const ir::Graph &drawn, const ir::Graph &before, const ir::Graph &after);

/// Marks of a diagram's boxes and edges.
struct Marks {
    struct OfBox {
        Mark mark = Mark::None; ///< Changed, unless all of the contents were added, removed or are absent
        std::uint32_t added = 0, removed = 0, changed = 0, absent = 0; ///< nodes in it, itself included
        bool operator==(const OfBox &) const = default;
    };
    std::vector<OfBox> boxes; ///< by box
    std::vector<Mark> edges;  ///< by edge: Added, Removed, Absent or None

    bool isEmpty() const { return boxes.empty(); }
};
/// "+" for one node, "+2 −1 ~3" for a box of several; "" if nothing differs.
std::string badgeText(const Box &box, const Marks::OfBox &marks);
/// The badge's rectangle, over the right end of the upper border. `textWidth`: width of the badge's text.
Rect badgeRect(const Box &box, double textWidth);

/// O(nodes + boxes · log).
Marks marksOf(const Diagram &diagram, const ir::Graph &graph, const Outline &outline, const NodeMarks &nodes);

/// Returns the expansion with the boxes open, too, that hold marked nodes, if these are few.
Expansion withMarkedShown(Expansion expansion, const Outline &outline, const NodeMarks &nodes);

} // namespace cutaway::layout
