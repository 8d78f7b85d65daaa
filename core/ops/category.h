// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <cstdint>
#include <string_view>

namespace cutaway::ops {

/// What an operator is for, in every dialect; the colours of graph, table and plots follow it.
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

/// "matrix product"
std::string_view name(Category category);

/// What the operator's row says, or for gradients and operators on lists the row of what they come from. Else Custom if
/// its dialect is not known, and Unknown.
Category categoryOf(const ir::Context &context, ir::OpId op);
inline Category categoryOf(const ir::NodeRef &node) { return categoryOf(node.graph().context(), node->op); }

} // namespace cutaway::ops
