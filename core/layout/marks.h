// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/mark.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::layout {

struct Expansion;
struct Outline;

/// The marks of a function's nodes and of its reads; a read says which node reads which value.
struct NodeMarks {
    using Read = std::pair<ir::ValueId, ir::NodeId>;
    std::vector<Mark> nodes; ///< by NodeId; None beyond the end
    std::set<Read> added, removed;
    std::set<Read> absent;              ///< reads that neither of the two states has, only other states
    std::map<ir::ValueId, Mark> inputs; ///< marks of the function's inputs that are not in both states
    std::vector<Mark> outputs;          ///< marks of the function's results, by index

    Mark of(ir::NodeId node) const { return node.index < nodes.size() ? nodes[node.index] : Mark::None; }
    bool operator==(const NodeMarks &) const = default;
};

/// Compares two states of one graph by the ids of nodes.
NodeMarks marksBetween(const ir::Graph &before, const ir::Graph &after);

/// Compares two states as marksBetween() does, for the picture `drawn`, which has the nodes of further states
/// (allStates()).
NodeMarks marksWithin(const ir::Graph &drawn, const ir::Graph &before, const ir::Graph &after);

/// Marks of a diagram's boxes and edges.
struct Marks {
    struct OfBox {
        /// Added, Removed or Absent if that is true of all contents; Changed if some of them differ; else None.
        Mark mark = Mark::None;
        std::uint32_t added = 0, removed = 0, changed = 0, absent = 0; ///< nodes in the box, itself included
        bool operator==(const OfBox &) const = default;
    };
    std::vector<OfBox> boxes;
    std::vector<Mark> edges; ///< by edge: Added, Removed, Absent or None

    bool isEmpty() const { return boxes.empty(); }
};
/// Returns "+" for one node, "+2 −1 ~3" for a box of several; "" if nothing differs.
std::string badgeText(const Box &box, const Marks::OfBox &marks);
/// Returns the badge's rectangle, over the right end of the upper border. `textWidth` is the width of the badge's text.
Rect badgeRect(const Box &box, double textWidth);

/// Returns the marks of a diagram. O(nodes + boxes · log).
Marks marksOf(const Diagram &diagram, const ir::Graph &graph, const Outline &outline, const NodeMarks &nodes);

/// Returns the expansion in which boxes with marked nodes are open, too; if they are many, only the first of them.
Expansion withMarkedShown(Expansion expansion, const Outline &outline, const NodeMarks &nodes);

} // namespace cutaway::layout
