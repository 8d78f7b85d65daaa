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
    double largestError = 0; ///< relative to the element, or to the least normal number of both dtypes
};

/// Groups of nodes that compute the same, one of them perhaps empty: a scaled dot product attention and its matrix
/// products.
struct Group {
    std::vector<ir::NodeId> a, b;
    std::string proof; ///< the rule, or what was computed with which error
};

/// One side of a replaced region.
struct RegionSide {
    std::vector<ir::NodeId> nodes;                                   ///< in the order of the graph, at least one
    std::vector<std::pair<std::string, std::size_t>> operators = {}; ///< with how many nodes are of each, most first
    ops::Cost cost = {};
    std::vector<ir::TensorId> weights = {}; ///< each once, in the order in which they are read
};

/// Nodes that stand in the place of others, and nothing proves that they compute the same.
struct Region {
    RegionSide a, b;
    std::string reason;            ///< "the results differ by up to 0.3"
    std::size_t sharedWeights = 0; ///< weights of A that are also in B, by all their elements
};

/// Weights that pairs read, each pair of tensors once.
struct WeightCounts {
    std::size_t compared = 0, differing = 0; ///< in their elements; those of other types or sizes are changes
    bool operator==(const WeightCounts &) const = default;
};

/// How much there is of each kind of difference.
struct Counts {
    std::size_t matched = 0, changed = 0;     ///< pairs
    std::size_t onlyA = 0, onlyB = 0;         ///< nodes without counterpart
    std::size_t regions = 0;                  ///< that were replaced
    std::size_t replacedA = 0, replacedB = 0; ///< nodes in them
    std::size_t groups = 0;                   ///< equivalent
    std::size_t signature = 0, notCompared = 0, notProven = 0;
};

/// Counts of differences in a module, those inside it included.
struct ModuleChanges {
    std::string path;                              ///< "" is the model
    std::size_t changed = 0, onlyA = 0, onlyB = 0; ///< nodes of replaced regions are among those of one side
    bool operator==(const ModuleChanges &) const = default;
};

/// One total of both functions.
struct Figure {
    std::string_view name; ///< "flops"
    ir::Dim before, after;
    ir::Dim beforeAtLeast = std::int64_t{0}, afterAtLeast = std::int64_t{0}; ///< where it is not known
};

/// Says that one side is the other one quantized: it has additional nodes that round to integers and back.
struct Quantized {
    bool isInB = true;
    std::size_t quantizing = 0, dequantizing = 0; ///< nodes that it has more
    std::size_t readers = 0;                      ///< nodes that read what is rounded
    std::size_t weights = 0;                      ///< that are kept as integers, each within a step of the other side's
};

/// How two functions differ: the pairs of matched nodes, and all that has no partner or was not compared.
struct Difference {
    std::vector<Pair> pairs; ///< in the order of A
    std::vector<Group> groups;
    std::vector<Region> regions;
    std::vector<ir::NodeId> onlyA, onlyB;
    std::vector<NotCompared> notCompared;
    std::vector<NotProven> notProven;
    std::vector<Rounding> roundings;
    std::vector<Change> signature;      ///< inputs and outputs of the functions; the weights of files without a graph
    std::vector<ModuleChanges> modules; ///< modules with differences, outer before inner
    std::vector<Figure> totals;
    WeightCounts weights;
    std::optional<Quantized> quantized; ///< nothing else differs
    std::size_t conversions = 0;        ///< among onlyA and onlyB: from one floating dtype to another
    double similarity = 1;              ///< 0 to 1: how much of both is the same, see similarity.cpp
    /// Whether both sides are written alike, node for node. If not, views, conversions and sizes are not compared, and
    /// groups are no difference.
    bool isExact = true;

    Counts counts() const;
    bool isEqual() const; ///< nothing that was compared differs
    /// Nothing but elements of weights differs.
    bool isSameGraph() const;
    /// The graph is the same in another floating dtype; elements of some weights may differ by more than the rounding.
    bool isOtherPrecision() const;
    bool isComplete() const { return notCompared.empty(); } ///< everything was compared
    bool isProven() const { return notProven.empty(); }     ///< nothing is left whose sameness is not known
};

} // namespace cutaway::diff
