// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::ir {

/// An unknown size. Two unknown dims compare equal although the sizes may differ.
struct UnknownDim {
    bool operator==(const UnknownDim &) const = default;
};

/// The size of a tensor along one dimension, in elements.
using Dim = std::variant<std::int64_t, symbolic::Expr, UnknownDim>;
using Shape = std::vector<Dim>;

/// Prints a size: "224", "2*s0", "?".
std::string print(const Dim &dim);
/// Prints a shape: "[1, s0, ?]".
std::string print(const Shape &shape);

/// Returns the product of the sizes; 1 for a scalar; nullopt if a size is not a number or on overflow.
std::optional<std::int64_t> elementCount(const Shape &shape);

} // namespace cutaway::ir
