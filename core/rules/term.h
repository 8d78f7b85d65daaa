// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/dtype.h"
#include "core/rules/operator_name.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::rules::to_onnx {

class OnnxMaker;

/// A tensor of the ONNX graph, or None. Operators on terms, such as `a + b`, make nodes.
struct Term {
    OnnxMaker *made = nullptr; ///< the maker of the term's node
    ir::Operand operand;
    ir::DType dtype = ir::DType::Float32;

    bool isNone() const { return operand.as<ir::None>() != nullptr; }
};

/// A value of the source in the ONNX graph: a tensor (a number is one without dimensions), None, a list, or a
/// sequence of tensors of one dtype whose length is known only when the model runs.
struct Lowered {
    ir::Operand operand = {};
    ir::DType dtype = ir::DType::Float32;
    std::optional<std::vector<Lowered>> items = {};
    bool isSequence = false;

    Lowered() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): results of rules are written as what they are
    Lowered(const Term &term) : operand(term.operand), dtype(term.dtype) { }
    /// Returns a list of known items. A constructor is not used because compilers disagree whether `{items}` is one
    /// list or its items.
    static Lowered list(std::vector<Lowered> items)
    {
        Lowered made;
        made.items = std::move(items);
        return made;
    }
};

/// The results that a rule makes in place of a node's results, one for each. If the list is empty, the rule does not
/// apply, see Node::refuse().
using Results = std::vector<Lowered>;

// The operators below make nodes for two tensors of one dtype.
Term operator+(const Term &a, const Term &b);
Term operator-(const Term &a, const Term &b);
Term operator*(const Term &a, const Term &b);
Term operator/(const Term &a, const Term &b);
// The operators below make nodes for a tensor and a number.
Term operator+(const Term &a, double b);
Term operator-(const Term &a, double b);
Term operator-(double a, const Term &b);
Term operator*(const Term &a, double b);
Term operator/(const Term &a, double b);
Term applied(OnnxName op, const Term &x); ///< makes a node with one tensor as its input: "Exp"

// These functions make nodes that many rules need.
Term cast(const Term &x, ir::DType dtype); ///< `x` itself where it has that dtype
Term reshape(const Term &x, const Term &shape);
Term reshape(const Term &x, const std::vector<std::int64_t> &shape);
/// Makes a Reshape in which a size of 0 stands for an empty dimension, and not for the size of the input.
Term reshapeExactly(const Term &x, const Term &shape);
Term unsqueeze(const Term &x, const std::vector<std::int64_t> &axes);
Term squeeze(const Term &x, const std::vector<std::int64_t> &axes);
Term transpose(const Term &x, const std::vector<std::int64_t> &order);
/// Exchanges two dimensions of a tensor of this rank.
Term transposed(const Term &x, std::size_t rank, std::size_t a, std::size_t b);
Term expand(const Term &x, const Term &shape);
Term slice(const Term &x, std::int64_t axis, const Term &start, const Term &end, std::int64_t step = 1);
Term slice(const Term &x, std::int64_t axis, std::int64_t start, std::int64_t end);
Term concat(const std::vector<Term> &parts, std::int64_t axis); ///< `parts` holds at least one
Term filled(const Term &shape, double number, ir::DType dtype); ///< a tensor of this shape with one number everywhere
Term shapeOf(const Term &x);                                    ///< a vector of int64
Term sizeOf(const Term &x, std::int64_t axis);                  ///< a number
Term vectorOf(const Term &x);                                   ///< returns all elements as a vector, row by row
/// Makes a reduction over these axes: "ReduceSum", which gets the axes as an attribute or an input, as the operator set
/// has it.
Term reduce(OnnxName op, const Term &x, const std::vector<std::int64_t> &axes, bool keepDims);
Term where(const Term &condition, const Term &a, const Term &b);
/// Compares two tensors: "Less".
Term compared(OnnxName op, const Term &a, const Term &b);

} // namespace cutaway::rules::to_onnx
