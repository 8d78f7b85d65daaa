// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"

#include <string>
#include <vector>

namespace cutaway::layout {

/// A part of a function that may become a box: a node, or a holder of parts (region, module, group, node with regions).
struct Part {
    Subject subject;
    std::uint32_t parent = 0; ///< the body is its own parent
    std::uint32_t end = 0;    ///< the parts inside are those from the next one up to this index
    std::uint32_t children = 0;
    std::uint32_t nodes = 0;   ///< nodes in it, itself and those of regions included
    std::uint32_t working = 0; ///< children but plumbing
    bool repeats = false;      ///< a group of equal modules, or a repetition that was found
    std::uint32_t found = 0;   ///< for a found part: its index in Outline::found
    ir::ScopeId
        shortcut{}; ///< for nodes: the innermost module that holds only this node and therefore gets no box; or root
    bool canOpen() const { return children > 0; }
};

/// The texts that a part that was found is shown, asked for and opened by.
struct FoundName {
    std::string title; ///< "stage 3: 6 × bottleneck"
    std::string name;  ///< "stage 3", "bottleneck 7": the only one in the function
    std::string kind;  ///< equal for all stages, else for those of one title
    std::string path;  ///< see found/found_names.h; "" if the part around it has the same
};

/// A function as a tree in preorder: part i's children are i+1, then parts[i+1].end, ….
struct Outline {
    std::vector<Part> parts;               ///< the first is the body
    std::vector<std::uint32_t> partOfNode; ///< by NodeId; 0 for removed ones
    std::vector<FoundName> found;          ///< names of the parts that were found, in preorder
};

inline bool isPlumbing(const Part &part) { return std::holds_alternative<PlumbingSubject>(part.subject); }

/// Modules with a single node are left out (`shortcut`). Four or more nodes of plumbing beside others form a part, see
/// plumbing.h. Three or more equal modules in a chain form a group. Of more than sixty siblings parts are
/// found in the graph; what then still is more than two hundred is cut into groups.
/// `flat`: nodes and regions alone. O(nodes × depth of modules).
Outline outlineOf(const ir::Function &function, bool flat);

/// Returns an outline whose parts have names also where `outline` has neither modules nor found parts, since a picture
/// shows all nodes side by side: the parts among at least sixteen siblings are found then. Else returns `outline`.
Outline withNamedParts(Outline outline, const ir::Function &function);

/// Returns the outline of several states without the parts that one state of the function lacks.
Outline restricted(const Outline &outline, const ir::Graph &state);

/// Calls visit(index) for each direct child of a part, in execution order.
template <class Visit>
void forEachChild(const Outline &outline, std::uint32_t part, Visit &&visit)
{
    for (std::uint32_t i = part + 1; i < outline.parts[part].end; i = outline.parts[i].end)
        visit(i);
}

} // namespace cutaway::layout
