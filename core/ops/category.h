// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <cstdint>
#include <string_view>

namespace cutaway::ops {

/// The purpose of an operator, in every dialect; the colours of graph, table and plots follow it.
enum class Category : std::uint8_t {
    Convolution,
    MatrixProduct,
    Attention,
    Normalization,
    Activation,
    Elementwise,
    Reduction,
    ShapeView,
    Indexing,
    Creation,
    ControlFlow,
    Quantization,
    Recurrent,
    Custom,
    Unknown,
};
inline constexpr int categoryCount = static_cast<int>(Category::Unknown) + 1;

/// Returns the name of a category: "matrix product".
std::string_view name(Category category);

/// The category in the operator's row; for gradients and operators on lists, in the row of the operator that they come
/// from. Without a row it is Custom if the dialect is not known, else Unknown.
Category categoryOf(const ir::Context &context, ir::OpId op);
inline Category categoryOf(const ir::NodeRef &node) { return categoryOf(node.graph().context(), node->op); }

} // namespace cutaway::ops
