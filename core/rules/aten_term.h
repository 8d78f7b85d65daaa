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

/// An operand that a rule computes with. Operators on terms, such as `a + b`, make nodes.
struct Term {
    AtenMaker *made = nullptr; ///< the maker of the term's node
    ir::Operand operand;

    // NOLINTNEXTLINE(google-explicit-constructor): it is the operand
    operator ir::Operand() const { return operand; }
    bool isNone() const { return operand.as<ir::None>() != nullptr; }
};

// The operators of formulas make nodes: of two tensors, or of a tensor and a number.
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

// These functions make nodes that many rules need.
Term cast(const Term &x, ir::DType dtype); ///< `x` itself where it has that dtype
bool isHalf(ir::DType dtype);              ///< float16 or bfloat16
/// Returns `x` in float32 if its dtype is a half, as PyTorch computes pointwise operators, else `x` itself.
Term widened(const Term &x);
Term view(const Term &x, const ir::Shape &shape);    ///< precondition: `x` certainly has this view
Term reshape(const Term &x, const ir::Shape &shape); ///< a view of `x`, or of a copy if the view is not certain
Term rowMajor(const Term &x);                        ///< a copy, unless `x` is certainly row-major
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
