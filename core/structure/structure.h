// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <string>
#include <variant>

namespace cutaway::structure {

/// One of several similar parts, one after the other.
struct Block {
    auto operator<=>(const Block &) const = default;
};
/// Blocks one after the other.
struct Repetition {
    std::uint32_t times = 0;
    auto operator<=>(const Repetition &) const = default;
};
/// Several parts that compute at one resolution.
struct Stage {
    auto operator<=>(const Stage &) const = default;
};
/// One of the ways from a fork to where they join.
struct Branch {
    auto operator<=>(const Branch &) const = default;
};
/// One of the ways from a fork to results of their own.
struct Head {
    auto operator<=>(const Head &) const = default;
};
/// Something else with few values in and out.
struct Section {
    auto operator<=>(const Section &) const = default;
};
using Form = std::variant<Section, Block, Repetition, Stage, Branch, Head>;

/// Steps that belong together, as the graph alone says.
struct Region {
    Form form;
    std::string name;                   ///< "attention", "bottleneck", "6 conv": what is inside
    std::uint32_t parent = 0;           ///< the whole is its own
    std::uint32_t begin = 0, end = 0;   ///< in Structure::order
    std::vector<std::int64_t> widths{}; ///< for a repetition or stage: the channels of its blocks, where they change
    std::uint32_t stage = 0;            ///< the number of the stage among those that compute at one resolution each,
                                        ///< from 1; else 0
};

struct Structure {
    std::vector<std::uint32_t>
        order;                   ///< the steps: regions are of consecutive ones, and no value goes back between two
    std::vector<Region> regions; ///< in preorder; the first is the whole
    std::vector<bool> prepares; ///< by step: it makes sizes, constants and the like, and stands before its first reader
    bool isTopological = true;  ///< false: steps read each other in a circle, and some values go back
};

/// Finds regions in a graph that is written without modules. The order is that of the file as far as the branches of a
/// fork stand together. Deterministic; O(n log n) in values and operands. `plumbing` is by NodeId, see plumbingOf().
Structure structureOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps,
                      const std::vector<bool> &plumbing);

/// Takes each node of the region as a step, and finds the plumbing itself.
Structure structureOf(const ir::Graph &graph, ir::RegionId region);

/// Names a region without its widths: "stage 3", "head", "attention", "12 × transformer block". Several may share
/// it.
std::string shortTitleOf(const Region &region);
/// Names a region with its contents: "stage 3: 6 × bottleneck", "12 × block, 256 → 512".
std::string titleOf(const Region &region);

/// Prints the tree, one line per region and node, indented; steps that only prepare are in brackets.
std::string printStructure(const ir::Graph &graph, ir::RegionId region, const Structure &structure);

} // namespace cutaway::structure
