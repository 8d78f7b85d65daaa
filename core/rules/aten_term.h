// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/dim.h"
#include "core/ir/dtype.h"
#include "core/rules/operator_name.h"

#include <vector>

namespace cutaway::rules::to_aten {

class AtenMaker;

/// An operand that a rule computes with. Operators on it make nodes: of add, sub, mul, div and comparisons.
struct Term {
    AtenMaker *made = nullptr; ///< where nodes are made
    ir::Operand operand;

    // NOLINTNEXTLINE(google-explicit-constructor): it is the operand
    operator ir::Operand() const { return operand; }
    bool isNone() const { return operand.as<ir::None>() != nullptr; }
};

// Nodes for what is written in formulas: of two tensors, or of a tensor and a number.
Term operator+(const Term &a, const Term &b);
Term operator-(const Term &a, const Term &b);
Term operator*(const Term &a, const Term &b);
Term operator/(const Term &a, const Term &b);
Term operator+(const Term &a, double b);
Term operator-(const Term &a, double b);
Term operator*(const Term &a, double b);
Term operator/(const Term &a, double b);
Term operator-(double a, const Term &b);
Term operator-(const Term &a);
Term where(const Term &condition, const Term &a, const Term &b);
/// Compares a tensor with a tensor or number by "eq", "lt", ….
Term compared(AtenName comparison, const Term &a, const Term &b);
/// Applies an operator that takes one tensor: "exp", "tanh", ….
Term applied(AtenName function, const Term &x);

// Nodes that many rules make.
Term cast(const Term &x, ir::DType dtype); ///< `x` itself where it has that dtype
bool isHalf(ir::DType dtype);              ///< float16 or bfloat16
/// `x` in float32 if its dtype is a half, as PyTorch computes pointwise operators.
Term widened(const Term &x);
Term view(const Term &x, const ir::Shape &shape);    ///< for an `x` of which this view certainly exists
Term reshape(const Term &x, const ir::Shape &shape); ///< a view; of a copy where the view is not certain
Term rowMajor(const Term &x);                        ///< a copy, unless it certainly lies so
Term permute(const Term &x, const std::vector<std::size_t> &order);
Term transposed(const Term &x, std::size_t a, std::size_t b);
Term expand(const Term &x, const ir::Shape &shape);
Term unsqueeze(const Term &x, std::int64_t dim);
Term squeeze(const Term &x, std::int64_t dim);
Term slice(const Term &x, std::size_t dim, const ir::Operand &start, const ir::Operand &end);
Term concat(const std::vector<Term> &parts, std::int64_t dim); ///< `parts` holds at least one
Term matmul(const Term &a, const Term &b);
Term sum(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim);
Term mean(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim);

} // namespace cutaway::rules::to_aten
