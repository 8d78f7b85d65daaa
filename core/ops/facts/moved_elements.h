// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <functional>

namespace cutaway::ops {

// Operators that only move elements: the result is the argument, seen through another shape.

using Numbers = std::vector<std::int64_t>;

/// For each dimension, the distance in elements between neighbours along it, when the last dimension is dense. `sizes`
/// are those of a tensor that is small enough to be tracked.
Numbers denseStrides(const Numbers &sizes);

using Index = std::span<const std::int64_t>;
/// A tensor of this shape whose elements `element` computes from their index, if these are few enough to be tracked.
TensorFact made(std::optional<ir::DType> dtype, ir::Shape shape, const std::function<ir::Dim(Index)> &element);

/// `source` in another shape. Its elements, if they are known, are taken from the row-major positions that `place`
/// returns; an impossible position gives an unknown element.
TensorFact moved(const TensorFact &source, ir::Shape shape, const std::function<std::int64_t(Index)> &place);
/// `source` in another shape. Its elements lie `strides` apart along each dimension of the result, from `offset` on.
TensorFact strided(const TensorFact &source, ir::Shape shape, const Numbers &strides, std::int64_t offset = 0);
/// `source` in another shape, with its elements in the same order.
TensorFact reshaped(const TensorFact &source, ir::Shape shape);

// Common parts of rules on one tensor: reading arguments and making results.

/// The tensor at `position` if its rank is known.
const TensorFact *ranked(const Call &call, std::size_t position = 0);
/// A tensor with the first argument's dtype and nothing else known, with the reason.
Answer onlyDType(const Call &call, Doubt why);
Answer onlyDType(const Call &call, std::string reason = "input rank unknown");

/// The dimension, of a tensor of this rank, that an argument names; a doubt if it is not known or out of range. A
/// tensor without dimensions is taken to have one.
OrDoubt<std::size_t> axis(const Fact &argument, std::size_t rank);
OrDoubt<std::vector<std::size_t>> axes(const Fact &argument, std::size_t rank);

/// Returns these facts as results, or `count` results that are alike.
Facts results(std::vector<Fact> facts);
Facts results(std::size_t count, const Fact &fact);

/// A list of tensors as the result of a call: one list, or, if the file has a result per tensor, the tensors.
Answer listed(const Call &call, std::vector<Fact> tensors);

} // namespace cutaway::ops
