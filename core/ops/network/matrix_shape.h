// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// The shape of a matrix product by NumPy's rule: the last two dimensions multiply, those before them broadcast, a
/// vector is a row on the left and a column on the right. Nothing if the sizes cannot be.
std::optional<ir::Shape> productShape(const ir::Shape &a, const ir::Shape &b);
/// Gives the same shape, and notes what that takes for granted of sizes as needs of the call.
std::optional<ir::Shape> productShape(const Call &call, const ir::Shape &a, const ir::Shape &b);

/// 2 per multiply-add of that product; unknown without a shape. A product with a vector on the right is not among those
/// that flop counters count: it is otherFlops.
Cost productCost(const ir::Shape *a, const ir::Shape *b);

/// With the last two dimensions exchanged; a vector as it is.
ir::Shape transposed(ir::Shape shape);

/// a·b for sizes and a factor: 2·m·n·k.
ir::Dim times(std::initializer_list<ir::Dim> factors);

/// A result of which only the dtype is known, and why.
Facts onlyType(const Call &call, std::optional<ir::DType> dtype, std::string reason);

} // namespace cutaway::ops
