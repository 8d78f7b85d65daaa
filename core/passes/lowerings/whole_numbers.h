// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/lowerings/onnx_node.h"

namespace cutaway::passes {

// What several rules make of whole numbers with scales and zero points.

/// An input of whole numbers; a constant of four bits, which torch has not, in eight. Nothing for others of four bits.
std::optional<Term> wholeInput(OnnxNode &n, std::size_t position);

/// A whole number, in int32, less its zero point, which is of this rank at most: 1 for one of each column.
std::optional<Term> centred(OnnxNode &n, std::size_t position, std::size_t zero, std::size_t zeroRank = 0);

/// The first result: whole numbers of its dtype, from real ones that are divided by its scale; `zero`: the input that
/// is its zero point, or none.
Parts requantized(OnnxNode &n, const Term &real, std::size_t zero);

/// Floats in 0 to 255, with 0 among the numbers; all in float32.
struct DynamicRange {
    Term whole, scale, zero;
};
DynamicRange dynamicRange(OnnxNode &n, const Term &x);

} // namespace cutaway::passes
