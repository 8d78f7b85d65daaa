// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

// The placement of results in memory: in an argument's storage or in their own, and in which order. The rules are those
// of eager PyTorch on a CPU (ATen/TensorUtils.cpp computeStride, ATen/TensorIterator.cpp). ONNX has no strides: a
// result shares its argument's storage if the operator does not change the bytes.

struct Place {
    const TensorFact *within = nullptr; ///< the argument whose storage the result shares; nullptr: new memory
    Cow<Strides> strides = nullptr;
    /// The size of new memory, if a kernel allocates more than its result needs.
    std::optional<ir::Dim> bytes = std::nullopt;
};

/// Returns the placement of the `index`-th tensor among the results.
using PlaceRule = Place (*)(const Call &call, const TensorFact &result, std::size_t index);

/// Returns the strides of a tensor, including those of row-major order.
Strides stridesOf(const TensorFact &tensor);
/// The strides as a fact has them: nullptr for row-major order, whatever the strides of dimensions of size 1 are.
Cow<Strides> normal(const ir::Shape &shape, Strides strides);
/// Returns the strides with which a view of `tensor` has the shape `shape`; nothing if a view is not possible.
std::optional<Strides> viewed(const TensorFact &tensor, const ir::Shape &shape);

// Rules for a result that views or copies the first argument.
Place placeOfItself(const Call &call, const TensorFact &result, std::size_t index); ///< the result is the tensor itself
/// The result is a view if that is possible, else a copy.
Place placeOfReshape(const Call &call, const TensorFact &result, std::size_t index);
Place placeOfCopy(const Call &call, const TensorFact &result, std::size_t index); ///< a copy in the operand's order
/// The result is the tensor itself if it is contiguous, else a copy.
Place placeOfContiguous(const Call &call, const TensorFact &result, std::size_t index);
Place placeOfConversion(const Call &call, const TensorFact &result,
                        std::size_t index); ///< the tensor itself if it has the dtype of the result, else a copy
/// The result is a view that repeats elements by strides of 0.
Place placeOfExpansion(const Call &call, const TensorFact &result, std::size_t index);
/// The result is a view of a part, with the same rank.
Place placeOfPart(const Call &call, const TensorFact &result, std::size_t index);
Place placeOfItem(const Call &call, const TensorFact &result, std::size_t index); ///< a view without dimension "dim"
Place placeOfSomeView(const Call &call, const TensorFact &result,
                      std::size_t index); ///< a view whose strides are not followed
/// The result is a view of an item of the list, expanded.
Place placeOfListItem(const Call &call, const TensorFact &result, std::size_t index);
Place placeOfUntrainedDropout(const Call &call, const TensorFact &result, std::size_t index);

/// The result is new memory of at least the first argument's size: for kernels that begin with empty_like(self).
Place placeOfResized(const Call &call, const TensorFact &result, std::size_t index);

// Rules for new memory, in one of two orders.
Place placeLikeOperands(const Call &call, const TensorFact &result); ///< new memory in the order of the operands
Place placeLikeImage(const Call &call, const TensorFact &result);    ///< channels last if the first argument is

/// New memory without gaps, with the dimensions in this order from the outermost to the innermost.
Place newPlace(const TensorFact &result, std::span<const std::size_t> order);
/// Returns the placement of a view of `tensor` whose dimension i is dimension order[i] of `tensor`.
Place permutedPlace(const TensorFact &tensor, std::span<const std::size_t> order);

} // namespace cutaway::ops
