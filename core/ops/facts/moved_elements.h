// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <functional>

namespace cutaway::ops {

// Operators that only move elements: the result is the argument seen through another shape.

using Numbers = std::vector<std::int64_t>;
/// The sizes, if all are numbers.
std::optional<Numbers> numbers(std::span<const ir::Dim> dims);

/// For each dimension the elements between neighbours along it, when the last one is dense. `sizes` are those of a
/// tensor that is small enough to be tracked.
Numbers denseStrides(const Numbers &sizes);

using Index = std::span<const std::int64_t>;
/// A tensor of this shape whose elements `element` computes from their index, if they are few enough to be tracked.
TensorFact made(std::optional<ir::DType> dtype, ir::Shape shape, const std::function<ir::Dim(Index)> &element);

/// `source` in another shape, its elements, if they are known, taken from where `place` says (row by row; an
/// impossible place is an element that is not known).
TensorFact moved(const TensorFact &source, ir::Shape shape, const std::function<std::int64_t(Index)> &place);
/// The same by steps along each dimension of the result.
TensorFact strided(const TensorFact &source, ir::Shape shape, const Numbers &strides, std::int64_t offset = 0);
/// The same elements in the same order.
TensorFact reshaped(const TensorFact &source, ir::Shape shape);

// What rules on one tensor begin and end with.

/// The tensor at `position` if its rank is known.
const TensorFact *ranked(const Call &call, std::size_t position = 0);
/// A tensor of the first argument's dtype of which nothing else is known. `call` gets the reason if it has none yet.
Facts onlyDType(const Call &call, std::string reason = "input rank unknown");

/// The dimension of a tensor of this rank that an argument names; nothing if it is not known or out of range; `call`
/// then has the reason. A tensor without dimensions is taken to have one.
std::optional<std::size_t> axis(const Call &call, const Fact &argument, std::size_t rank);
std::optional<std::vector<std::size_t>> axes(const Call &call, const Fact &argument, std::size_t rank);

/// These as results; or so many that are alike.
Facts results(std::vector<Fact> facts);
Facts results(std::size_t count, const Fact &fact);

/// A list of tensors as the result of a call: one list, or, where the file has a result per tensor, these.
Facts listed(const Call &call, std::vector<Fact> tensors);

} // namespace cutaway::ops
