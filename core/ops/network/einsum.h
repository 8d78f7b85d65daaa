// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/dim.h"

#include <span>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// An equation of einsum, applied to operands: the label of each of their dimensions, and the size of each label.
/// Labels are numbers; each dimension that an ellipsis stands for has a label of its own.
struct Einsum {
    /// The labels of each operand's dimensions; a repeated label is a diagonal.
    std::vector<std::vector<std::size_t>> operands;
    std::vector<std::size_t> result;
    std::vector<ir::Dim> sizes; ///< the size of each label, broadcast over the operands

    ir::Shape resultShape() const;
};

/// Reads "bij,bjk->bik": letters, an ellipsis "..." at most once per operand, blanks anywhere. Without "->" the result
/// has the ellipsis and then all letters that occur once, in their order.
/// Errors: what is wrong with the equation, or that it does not fit the operands' shapes.
Result<Einsum> readEinsum(std::string_view equation, std::span<const ir::Shape *const> shapes);

/// Returns the letters for the labels of one operand in the other form of einsum, which has a list of numbers below
/// 52 per operand: 0 is "A", 26 is "a". "" if a number is out of range.
std::string einsumLetters(std::span<const ir::Dim> sublist);

/// The cost of a contraction, and whether it sums outside of matrix products. The result's dtype depends on that:
/// PyTorch sums integers in int64, but multiplies matrices of integers in their own dtype.
struct EinsumWork {
    ir::Dim flops;
    bool sums = false;
};
/// Counts 2 flops per multiply-add of the batched matrix products that PyTorch makes of the equation. It contracts pair
/// by pair: from left to right, or those of `path`, which are positions in the list of operands that are left; a
/// product goes to the end of that list.
EinsumWork einsumWork(const Einsum &einsum, std::span<const ir::Shape *const> shapes,
                      std::span<const std::int64_t> path = {});

} // namespace cutaway::ops
