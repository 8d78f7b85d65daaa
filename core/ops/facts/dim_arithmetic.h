// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::ops {

inline constexpr std::int64_t zero = 0;
inline constexpr std::int64_t one = 1;
/// The depth up to which formulas are kept; deeper ones become unknown. A formula that grows with every node of a graph
/// is unreadable and costs more at each node.
inline constexpr std::uint32_t maxFormulaDepth = 64;

// Arithmetic on sizes. The result is a number if both are numbers, else an expression; unknown if one is unknown, the
// result overflows or a divisor is zero. Divisions round like Python's.
ir::Dim plus(const ir::Dim &a, const ir::Dim &b);
ir::Dim minus(const ir::Dim &a, const ir::Dim &b);
ir::Dim times(const ir::Dim &a, const ir::Dim &b);
ir::Dim floorDivide(const ir::Dim &a, const ir::Dim &b);
ir::Dim ceilDivide(const ir::Dim &a, const ir::Dim &b);
ir::Dim modulo(const ir::Dim &a, const ir::Dim &b);
ir::Dim minimum(const ir::Dim &a, const ir::Dim &b);
ir::Dim maximum(const ir::Dim &a, const ir::Dim &b);

/// The size as a number, if it is one.
std::optional<std::int64_t> number(const ir::Dim &dim);
/// The sizes as numbers; nothing if one is not.
std::optional<std::vector<std::int64_t>> numbers(std::span<const ir::Dim> dims);
/// The size as a real number: an integer, or the value of an Expr::floating.
std::optional<double> floating(const ir::Dim &dim);
bool isKnown(const ir::Dim &dim);
/// Whether two sizes are known and certainly the same.
bool isSame(const ir::Dim &a, const ir::Dim &b);
/// Whether two sizes certainly differ: both numbers, or their difference is a number other than zero.
bool isDifferent(const ir::Dim &a, const ir::Dim &b);
bool isOne(const ir::Dim &dim);

/// The product of the sizes; 1 for none.
ir::Dim product(std::span<const ir::Dim> dims);
/// The number of elements of a tensor of this shape.
ir::Dim elementsOf(const ir::Shape &shape);

/// Returns the dimension that an index refers to; -1 is the last of `rank` dimensions. Nothing if it is out of range.
std::optional<std::size_t> dimension(std::int64_t index, std::size_t rank);
/// Returns the dimensions that indices refer to, like dimension(); nothing if an index is not known or out of range.
std::optional<std::vector<std::size_t>> dimensions(std::span<const ir::Dim> indices, std::size_t rank);

} // namespace cutaway::ops
