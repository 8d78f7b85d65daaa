// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/ir/node_ref.h"

#include <optional>

namespace cutaway::diff {

/// What a node is to the comparison.
enum class Role : std::uint8_t {
    Input,    ///< of the function; no node
    Output,   ///< likewise
    Compute,  ///< a convolution, matrix product, attention, normalization, recurrence
    Data,     ///< another that computes with data
    Plumbing, ///< moves data only: a view, a conversion, a dropout that does nothing
    Aside,    ///< no data pass through it: sizes, checks, branches that are not taken
};

/// An input, node or output, and what it reads.
struct Item {
    std::optional<ir::NodeRef> node;
    Role role = Role::Aside;
    std::vector<std::uint32_t> producers; ///< items before it, each once
    std::vector<ir::TensorId> weights;    ///< read, also through views
};

/// A function as a flat list of items in the order in which they run: its inputs, its nodes with what is in their
/// regions, its outputs. Region borders are open: who reads an If's result reads what the branches return.
struct Outline {
    std::vector<Item> items;
    std::vector<std::optional<std::uint32_t>> byNode; ///< by NodeId
};

Outline outlineOf(const Side &side);

/// By ValueId: the inputs to which the signature binds a weight or another thing of the file.
std::vector<bool> boundInputs(const ir::Function &function);

} // namespace cutaway::diff
