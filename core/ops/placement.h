// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

// Where results lie in memory: in an argument's storage or in their own, and in which order. Eager PyTorch's rules on
// a CPU (ATen/TensorUtils.cpp computeStride, ATen/TensorIterator.cpp). ONNX has no strides: there a result lies in its
// argument's storage where the operator does nothing to the bytes.

struct Place {
    const TensorFact *within = nullptr; ///< the argument that lends its storage
    Cow<Strides> strides = nullptr;
    std::optional<ir::Dim> bytes = std::nullopt; ///< the new memory, where a kernel takes more than its result needs
};

/// Finds the place of the result's `index`-th tensor.
using PlaceRule = Place (*)(const Call &call, const TensorFact &result, std::size_t index);

/// The strides of a tensor, also where they are those of row-major order.
Strides stridesOf(const TensorFact &tensor);
/// The strides as a fact has them: nullptr for row-major order, whatever the strides of dimensions of size 1 are.
Cow<Strides> normal(const ir::Shape &shape, Strides strides);
/// The strides through which `tensor` is seen as `shape`; nothing if its elements do not lie so.
std::optional<Strides> viewed(const TensorFact &tensor, const ir::Shape &shape);

// Rules: the first argument, ...
Place placeOfItself(const Call &call, const TensorFact &result, std::size_t index);  ///< ... as it is
Place placeOfReshape(const Call &call, const TensorFact &result, std::size_t index); ///< as a view if that is possible
Place placeOfCopy(const Call &call, const TensorFact &result, std::size_t index);    ///< copied, in its own order
Place placeOfContiguous(const Call &call, const TensorFact &result, std::size_t index); ///< unless it has to be copied
Place placeOfConversion(const Call &call, const TensorFact &result,
                        std::size_t index);                                            ///< if its dtype is the result's
Place placeOfExpansion(const Call &call, const TensorFact &result, std::size_t index); ///< repeated by strides of 0
Place placeOfPart(const Call &call, const TensorFact &result, std::size_t index);      ///< a part, of the same rank
Place placeOfItem(const Call &call, const TensorFact &result, std::size_t index);      ///< without dimension "dim"
Place placeOfSomeView(const Call &call, const TensorFact &result,
                      std::size_t index); ///< in an order that is not followed
Place placeOfListItem(const Call &call, const TensorFact &result, std::size_t index); ///< its items, expanded
Place placeOfUntrainedDropout(const Call &call, const TensorFact &result, std::size_t index);

/// New memory of at least the first argument's size: for kernels that begin with empty_like(self).
Place placeOfResized(const Call &call, const TensorFact &result, std::size_t index);

// New memory, in one of two orders.
Place placeLikeOperands(const Call &call, const TensorFact &result); ///< in the order that the operands have
Place placeLikeImage(const Call &call, const TensorFact &result);    ///< channels last if the first argument is

/// New memory without gaps, with the dimensions in this order from the outermost to the innermost.
Place newPlace(const TensorFact &result, std::span<const std::size_t> order);
/// The place of a view of `tensor` whose dimension i is dimension order[i] of `tensor`.
Place permutedPlace(const TensorFact &tensor, std::span<const std::size_t> order);

} // namespace cutaway::ops
