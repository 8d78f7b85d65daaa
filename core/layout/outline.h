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
    std::uint32_t end = 0;    ///< the index after the parts inside, which directly follow this part
    std::uint32_t children = 0;
    std::uint32_t nodes = 0;   ///< number of nodes in it, itself and those of regions included
    std::uint32_t working = 0; ///< number of children, plumbing excluded
    bool repeats = false;      ///< a group of equal modules, or a repetition that was found
    std::uint32_t found = 0;   ///< for a found part: its index in Outline::found
    ir::ScopeId shortcut{};    ///< for a node: the innermost module that has only this node and no box; else the root
    bool canOpen() const { return children > 0; }
};

/// The texts by which a found part is shown, asked for and opened.
struct FoundName {
    std::string title; ///< "stage 3: 6 × bottleneck"
    std::string name;  ///< "stage 3", "bottleneck 7": unique in the function
    std::string kind;  ///< equal for all stages; for other parts, equal for those of the same title
    std::string path;  ///< see found/found_names.h; "" if the part around it has the same path
};

/// A function as a tree in preorder: part i's children are i+1, then parts[i+1].end, ….
struct Outline {
    std::vector<Part> parts;               ///< the parts in preorder; the first is the body
    std::vector<std::uint32_t> partOfNode; ///< by NodeId; 0 for removed nodes
    std::vector<FoundName> found;          ///< names of the parts that were found, in preorder
};

inline bool isPlumbing(const Part &part) { return std::holds_alternative<PlumbingSubject>(part.subject); }

/// Modules with a single node are left out (`shortcut`). Two or more nodes of plumbing beside others form a part, see
/// plumbing.h. Three or more equal modules in a chain form a group. Where there are more than sixty siblings, parts are
/// searched in the graph; if more than two hundred siblings are left, they are cut into groups. `flat`: there are no
/// parts but nodes and regions. O(nodes × depth of modules).
Outline outlineOf(const ir::Function &function, bool flat);

/// Returns `outline` if it has modules or found parts. Otherwise, as for a small or a flat graph, returns an outline in
/// which parts were found even among as few as sixteen siblings, so that they can be named.
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
