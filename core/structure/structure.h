// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <string>
#include <variant>

namespace cutaway::structure {

/// One of several similar consecutive parts.
struct Block {
    auto operator<=>(const Block &) const = default;
};
/// Consecutive blocks.
struct Repetition {
    std::uint32_t times = 0;
    auto operator<=>(const Repetition &) const = default;
};
/// Several parts that compute at one resolution.
struct Stage {
    auto operator<=>(const Stage &) const = default;
};
/// One of the paths from a fork to where they join.
struct Branch {
    auto operator<=>(const Branch &) const = default;
};
/// One of the paths from a fork to separate results.
struct Head {
    auto operator<=>(const Head &) const = default;
};
/// Some other part with few values in and out.
struct Section {
    auto operator<=>(const Section &) const = default;
};
using Form = std::variant<Section, Block, Repetition, Stage, Branch, Head>;

/// Steps that belong together by the graph alone.
struct Region {
    Form form;
    std::string name;                   ///< the name of the contents: "attention", "bottleneck", "6 conv"
    std::uint32_t parent = 0;           ///< the index of the region around it; the first region is its own parent
    std::uint32_t begin = 0, end = 0;   ///< positions in Structure::order
    std::vector<std::int64_t> widths{}; ///< for a repetition or stage: the channels of its blocks, if they change
    std::uint32_t stage = 0;            ///< a number from 1 if the region has all parts of one resolution; else 0
};

struct Structure {
    /// The steps, ordered so that each region is contiguous and no value flows backward.
    std::vector<std::uint32_t> order;
    std::vector<Region> regions; ///< in preorder; the first one is the entire graph
    /// By step: whether it only prepares sizes, constants and the like; such a step stands before its first reader.
    std::vector<bool> prepares;
    bool isTopological = true; ///< false if steps read each other in a circle, so that some values flow backward
};

/// Finds regions in a graph that is written without modules. The order is that of the file as far as it keeps the
/// branches of a fork together. Deterministic; O(n log n) in values and operands. `plumbing` is by NodeId, see
/// plumbingOf().
Structure structureOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps,
                      const std::vector<bool> &plumbing);

/// Finds regions where each node of the region is a step, and finds the plumbing itself.
Structure structureOf(const ir::Graph &graph, ir::RegionId region);

/// Returns the name of a region without its widths: "stage 3", "head", "attention", "12 × transformer block". Several
/// regions may have the same.
std::string shortTitleOf(const Region &region);
/// Returns the name of a region with its contents: "stage 3: 6 × bottleneck", "12 × block, 256 → 512".
std::string titleOf(const Region &region);

/// Prints the tree, one line per region and node, indented; steps that only prepare are in brackets.
std::string printStructure(const ir::Graph &graph, ir::RegionId region, const Structure &structure);

} // namespace cutaway::structure
