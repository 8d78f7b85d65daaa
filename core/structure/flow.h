// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ops/kind.h"

#include <cstdint>
#include <vector>

namespace cutaway::structure {

/// The steps that a flow is made of. A step is a node of a region, or a module in the region with all of its nodes.
/// Nodes of nested regions belong to the step of the node that has the region.
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
    Mean, ///< the mean, and other reductions
    Resize,
    Add,
    Mul,
    Arithmetic,
    Concat,
    Split,
    View,
    Suppression, ///< the suppression of overlapping boxes
    Module,      ///< several nodes, of any kind
    Other,
};
inline constexpr std::size_t roleCount = static_cast<std::size_t>(Role::Other) + 1;

/// Whether a step of this role multiplies with weights or data. These steps characterize a block, whatever stands
/// between them.
bool isWeighted(Role role);

/// A step of the main flow: it computes with the model's data.
struct Place {
    std::uint32_t step = 0; ///< index of the step in Steps
    Role role = Role::Other;
    ir::OpId op{};                      ///< the operator, if the step is a single node
    int scale = 0;                      ///< the change of resolution: 1 halves it at least, -1 enlarges it
    std::int64_t width = 0;             ///< the number of output channels of the step's weight; 0 without a weight
    std::size_t token = 0;              ///< a hash that is equal for equal operators, whatever their sizes are
    std::size_t print = 0;              ///< a hash like `token` that also depends on attributes and sizes of weights
    bool readsOutside = false;          ///< whether the step reads an input of the function
    bool isSide = false;                ///< whether the step leads only to results beside the flow
    bool isErf = false, isRoot = false; ///< whether the step computes the error function; a square root or its inverse
    bool isVariance = false;            ///< whether the step computes a variance, which includes the mean
    std::vector<std::uint32_t> sources, readers{}; ///< positions, ascending, each once
};

/// The steps in a topological order in which the steps of each branch of a fork stand together, one branch after the
/// other. A step that only prepares (plumbing, copies of weights) stands before its first reader and has no position.
struct Flow {
    std::vector<std::uint32_t> order; ///< all steps in execution order
    /// By position: the index in `order` of the first step that belongs to it, steps that prepare it included.
    std::vector<std::uint32_t> begins;
    std::vector<Place> places;            ///< the steps of the main flow, in that order
    std::vector<std::uint32_t> crossings; ///< by position: the number of values that cross the border before it
    std::vector<bool> prepares;           ///< by step: whether the step only prepares others
    bool isTopological = true;            ///< false if modules read each other in a circle

    std::uint32_t stepCount() const { return static_cast<std::uint32_t>(order.size()); }
    /// Returns the index in `order` at which a position begins; the end for the position after the last.
    std::uint32_t beginOf(std::uint32_t place) const { return place < begins.size() ? begins[place] : stepCount(); }
};

/// Finds the flow of a region. O(operands · log).
Flow flowOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing);

} // namespace cutaway::structure
