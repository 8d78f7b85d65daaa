// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <unordered_map>

namespace cutaway::diff {

/// The role of a node in the comparison.
enum class Role : std::uint8_t {
    Input,    ///< an input of the function, not a node
    Output,   ///< an output of the function, not a node
    Compute,  ///< a convolution, matrix product, attention, normalization, recurrence
    Data,     ///< any other node that computes with data
    Plumbing, ///< moves data without computing with it: a view, a conversion, an inactive dropout, an index
    Aside,    ///< handles no data: sizes, checks, branches that are not taken
};

/// An input, node or output, and its operands.
struct Item {
    std::optional<ir::NodeRef> node;
    Role role = Role::Aside;
    std::vector<std::uint32_t> producers; ///< the items whose values it reads, each once
    std::vector<ir::TensorId> weights;    ///< the weights that it reads, also through views
};

/// A function as a flat list of items in execution order: its inputs, its nodes with those of their regions, its
/// outputs. Borders of regions do not count: a reader of an If's result reads what the branches return.
struct Outline {
    std::vector<Item> items;
    std::vector<std::optional<std::uint32_t>> byNode; ///< by NodeId
    /// By node with a branch whose condition is known: the index of the region that runs.
    std::unordered_map<ir::NodeId, std::size_t> taken = {};
};

Outline outlineOf(const Side &side);

/// Returns, by ValueId, whether the signature binds the input to a weight or another object of the file.
std::vector<bool> boundInputs(const ir::Function &function);

} // namespace cutaway::diff
