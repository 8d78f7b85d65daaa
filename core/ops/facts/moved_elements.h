// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <functional>

namespace cutaway::ops {

// Operators that only move elements: the result has the argument's elements in another shape.

using Numbers = std::vector<std::int64_t>;

/// Returns for each dimension the distance in elements between neighbours of a row-major tensor. `sizes` are those of
/// a tensor that is small enough to be tracked.
Numbers denseStrides(const Numbers &sizes);

using Index = std::span<const std::int64_t>;
/// A tensor of this shape whose elements `element` computes from their index, if these are few enough to be tracked.
TensorFact made(std::optional<ir::DType> dtype, ir::Shape shape, const std::function<ir::Dim(Index)> &element);

/// Returns `source` in another shape. Its known elements are taken from the row-major positions that `place` returns;
/// an impossible position makes an unknown element.
TensorFact moved(const TensorFact &source, ir::Shape shape, const std::function<std::int64_t(Index)> &place);
/// Returns `source` in another shape, with its elements `strides` apart along each dimension, from `offset` on.
TensorFact strided(const TensorFact &source, ir::Shape shape, const Numbers &strides, std::int64_t offset = 0);
/// Returns `source` in another shape, with its elements in the same order.
TensorFact reshaped(const TensorFact &source, ir::Shape shape);

// Functions that rules on one tensor share: they read arguments and make results.

/// Returns the tensor at `position`; nullptr if it is no tensor or its rank is not known.
const TensorFact *ranked(const Call &call, std::size_t position = 0);
/// Returns a tensor of which only the dtype is known, which is the first argument's, and the reason why.
Answer onlyDType(const Call &call, Doubt why);
Answer onlyDType(const Call &call, std::string reason = "input rank unknown");

/// Returns the dimension of a tensor of this rank that an argument refers to; a doubt if it is not known or out of
/// range. A tensor without dimensions counts as having one.
OrDoubt<std::size_t> axis(const Fact &argument, std::size_t rank);
OrDoubt<std::vector<std::size_t>> axes(const Fact &argument, std::size_t rank);

/// Returns these facts as results, or `count` results that are alike.
Facts results(std::vector<Fact> facts);
Facts results(std::size_t count, const Fact &fact);

/// A list of tensors as the result of a call: one list, or, if the node has a result per tensor, the tensors.
Answer listed(const Call &call, std::vector<Fact> tensors);

} // namespace cutaway::ops
