// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <optional>
#include <span>

namespace cutaway::ops {

/// Returns the shape that two shapes are broadcast to, aligned at their last dimensions (the rule of NumPy, PyTorch
/// and ONNX). An unknown size is assumed to fit: the result has the known size, unless that is 1. Nothing if two
/// sizes cannot fit.
std::optional<ir::Shape> broadcast(std::span<const ir::Dim> a, std::span<const ir::Dim> b);
std::optional<ir::Shape> broadcast(std::span<const ir::Shape *const> shapes);

} // namespace cutaway::ops
