// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// The shape of a matrix product by NumPy's rule: the last two dimensions multiply, those before them broadcast, a
/// vector is a row on the left and a column on the right. Nothing if the sizes do not fit.
std::optional<ir::Shape> productShape(const ir::Shape &a, const ir::Shape &b);
/// Returns the shape of the product, and notes its assumptions on sizes as needs of the call.
std::optional<ir::Shape> productShape(const Call &call, const ir::Shape &a, const ir::Shape &b);

/// Returns the cost of the product: 2 per multiply-add; unknown without a shape. Flop counters do not count a product
/// with a vector on the right, so that it becomes otherFlops.
Cost productCost(const ir::Shape *a, const ir::Shape *b);

/// Returns the shape with its last two dimensions exchanged; a vector is unchanged.
ir::Shape transposed(ir::Shape shape);

/// The product of sizes and a factor: 2·m·n·k.
ir::Dim times(std::initializer_list<ir::Dim> factors);

/// Returns a result of which only the dtype is known, and the reason.
Answer onlyType(std::optional<ir::DType> dtype, std::string reason);

} // namespace cutaway::ops
