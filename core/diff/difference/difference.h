// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/difference/pair.h"
#include "core/ops/operator.h"

namespace cutaway::diff {

/// The weights of one floating dtype that are rounded to another one on the other side; one entry per pair of dtypes.
struct Rounding {
    ir::DType before, after;
    std::size_t weights = 0;
    double largestError = 0; ///< the largest relative error; errors of small elements are relative to the least normal
                             ///< number of both dtypes
};

/// Nodes of both sides that compute the same; one of the lists may be empty. An example is a scaled dot product
/// attention and its matrix products.
struct Group {
    std::vector<ir::NodeId> a, b;
    std::string proof; ///< the rule that proves that both compute the same, or the error of computed results
};

/// One side of a replaced region.
struct RegionSide {
    std::vector<ir::NodeId> nodes;                                   ///< in the order of the graph, at least one
    std::vector<std::pair<std::string, std::size_t>> operators = {}; ///< by operator: its number of nodes, most first
    ops::Cost cost = {};
    std::vector<ir::TensorId> weights = {}; ///< each once, in the order in which they are read
};

/// Nodes of both sides that stand for each other, where nothing proves that the results are the same.
struct Region {
    RegionSide a, b;
    std::string reason;            ///< "the results differ by up to 0.3"
    std::size_t sharedWeights = 0; ///< weights of A that are also in B, by all their elements
};

/// Weights that pairs of nodes read; each pair of tensors counts once.
struct WeightCounts {
    std::size_t compared = 0, differing = 0; ///< weights whose elements were compared, and those of them that differ,
                                             ///< by more than rounding if the dtypes are not the same; weights of other
                                             ///< sizes are not counted
    bool operator==(const WeightCounts &) const = default;
};

/// The number of differences of each kind.
struct Counts {
    std::size_t matched = 0, changed = 0;     ///< pairs, and pairs with changes
    std::size_t onlyA = 0, onlyB = 0;         ///< nodes without counterpart
    std::size_t regions = 0;                  ///< regions that were replaced
    std::size_t replacedA = 0, replacedB = 0; ///< nodes in replaced regions
    std::size_t groups = 0;                   ///< equivalent groups
    std::size_t signature = 0, notCompared = 0, notProven = 0;
};

/// The number of differences in a module, including those in its submodules.
struct ModuleChanges {
    std::string path;                              ///< path of the module; "" is the model itself
    std::size_t changed = 0, onlyA = 0, onlyB = 0; ///< numbers of nodes; a pair counts as one, and a node of a replaced
                                                   ///< region for its own side
    bool operator==(const ModuleChanges &) const = default;
};

/// A total over a function, for both sides.
struct Figure {
    std::string_view name; ///< "flops"
    ir::Dim before, after;
    /// Lower bounds where the figures are not known.
    ir::Dim beforeAtLeast = std::int64_t{0}, afterAtLeast = std::int64_t{0};
};

/// Describes that one side is the other one quantized: it has additional nodes that round to integers and back.
struct Quantized {
    bool isInB = true;
    std::size_t quantizing = 0, dequantizing = 0; ///< numbers of additional nodes that round to integers, and back
    std::size_t readers = 0;                      ///< number of nodes that read a rounded value
    std::size_t weights = 0;                      ///< weights kept as integers, each within a step of the other side's
};

/// The difference of two functions: the pairs of matched nodes, and everything without a partner or comparison.
struct Difference {
    std::vector<Pair> pairs; ///< in the order of A
    std::vector<Group> groups;
    std::vector<Region> regions;
    std::vector<ir::NodeId> onlyA, onlyB;
    std::vector<NotCompared> notCompared;
    std::vector<NotProven> notProven;
    std::vector<Rounding> roundings;
    std::vector<Change> signature;      ///< changes of the functions' inputs and outputs; for files without a graph,
                                        ///< changes of weights
    std::vector<ModuleChanges> modules; ///< modules with differences, outer before inner
    std::vector<Figure> totals;
    WeightCounts weights;
    std::optional<Quantized> quantized; ///< set if nothing else than quantization differs
    std::size_t conversions = 0;        ///< casts from one floating dtype to another, among onlyA and onlyB
    double similarity = 1;              ///< from 0 to 1: how much of both sides is the same, see similarity.cpp
    /// Whether both sides are written alike, node for node. If not, views, conversions and sizes are not compared, and
    /// groups are no difference.
    bool isExact = true;

    Counts counts() const;
    bool isEqual() const; ///< whether no difference was found; there may be things that were not compared
    /// Whether elements of weights differ, and nothing else.
    bool isSameGraph() const;
    /// Whether the graph is the same in another floating dtype; elements of weights may differ by more than rounding.
    bool isOtherPrecision() const;
    bool isComplete() const { return notCompared.empty(); } ///< whether everything was compared
    bool isProven() const { return notProven.empty(); }     ///< whether nothing is left that is not proven the same
};

} // namespace cutaway::diff
