// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ops/kind.h"

#include <cstdint>
#include <vector>

namespace cutaway::structure {

/// The steps that a flow is made of: each is a node of a region, or a module that stands in the region with all the
/// nodes in it. Nodes of nested regions belong to the step of the node that has the region.
using Steps = std::vector<std::vector<ir::NodeId>>;

/// The role of a step, by which steps are compared whatever their widths are.
enum class Role : std::uint8_t {
    Convolution,
    Pointwise, ///< a convolution whose kernel is 1 in all dimensions
    Depthwise, ///< a convolution with a group for each channel
    UpConvolution,
    Linear,  ///< a product with a weight
    Product, ///< a product of two values
    Attention,
    Recurrent,
    Embedding, ///< rows of a weight
    Norm,
    Activation,
    Sigmoid,
    Tanh,
    Softmax,
    Pool,
    GlobalPool,
    Mean, ///< and other reductions
    Resize,
    Add,
    Mul,
    Arithmetic,
    Concat,
    Split,
    View,
    Suppression, ///< the suppression of overlapping boxes
    Module,      ///< several nodes
    Other,
};
inline constexpr std::size_t roleCount = static_cast<std::size_t>(Role::Other) + 1;

/// Whether a step of this role multiplies with weights or data. Blocks are known by these steps, whatever stands
/// between them.
bool isWeighted(Role role);

/// A step of the main flow: it computes with the model's data.
struct Place {
    std::uint32_t step = 0; ///< index into Steps
    Role role = Role::Other;
    ir::OpId op{};                                 ///< the operator of a single node
    int scale = 0;                                 ///< resolution: 1 halves it at least, -1 makes it larger
    std::int64_t width = 0;                        ///< channels that its weight makes; 0 without one
    std::size_t token = 0;                         ///< equal for equal operators, whatever their sizes are
    std::size_t print = 0;                         ///< as `token`, with attributes and sizes of weights
    bool readsOutside = false;                     ///< reads an input of the function
    bool isSide = false;                           ///< leads to results alone, beside what goes on
    bool isErf = false, isRoot = false;            ///< it computes the error function; a square root or its inverse
    bool isVariance = false;                       ///< it computes a variance, and thus the mean
    std::vector<std::uint32_t> sources, readers{}; ///< places, ascending, each once
};

/// The steps in a topological order in which the branches of a fork stand one after the other, each together. A step
/// that only prepares (plumbing, copies of weights) stands before its first reader and has no place.
struct Flow {
    std::vector<std::uint32_t> order;     ///< all steps, in that order
    std::vector<std::uint32_t> begins;    ///< by place: where it begins in `order`, with the steps that prepare for it
    std::vector<Place> places;            ///< the steps of the main flow, in that order
    std::vector<std::uint32_t> crossings; ///< by place: values that pass the border before it
    std::vector<bool> prepares;           ///< by step: it only prepares
    bool isTopological = true;            ///< modules may read each other in a circle

    std::uint32_t stepCount() const { return static_cast<std::uint32_t>(order.size()); }
    /// Where a place begins in `order`; the end for the place behind the last.
    std::uint32_t beginOf(std::uint32_t place) const { return place < begins.size() ? begins[place] : stepCount(); }
};

/// O(operands · log).
Flow flowOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing);

} // namespace cutaway::structure
