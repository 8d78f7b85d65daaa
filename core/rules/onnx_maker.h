// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/onnx_graph.h"
#include "core/rules/term.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::rules::to_onnx {

/// Makes nodes of ONNX, of one operator set, at the end of a graph. Numbers have torch's meaning.
class OnnxMaker {
public:
    /// The attributes of a new node.
    using Attributes = std::vector<std::pair<std::string_view, ir::Operand>>;

    /// `graph` has to outlive the object.
    OnnxMaker(OnnxGraph &graph, std::int64_t opset) : m_graph(graph), m_opset(opset) { }

    OnnxGraph &graph() { return m_graph; }
    std::int64_t opset() const { return m_opset; }

    Term make(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes = {},
              std::optional<ir::DType> dtype = {});
    std::vector<Term> makeAll(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes,
                              const std::vector<ir::DType> &dtypes);
    static ir::Operand list(std::span<const std::int64_t> numbers);
    Term wholes(const std::vector<std::int64_t> &numbers, ir::DType dtype); ///< a vector
    Term ints(const std::vector<std::int64_t> &numbers) { return wholes(numbers, ir::DType::Int64); }
    /// A tensor without dimensions. The rule does not apply where integers of the dtype cannot be that large.
    Term scalar(double number, ir::DType dtype);
    Term scalar(std::int64_t number);
    Term floats(const std::vector<float> &numbers);
    Term none() { return {this, {}}; }
    Term cast(const Term &x, ir::DType dtype); ///< `x` itself where it has that dtype

    // Nodes that many rules make.
    Term reshape(const Term &x, const Term &shape);
    Term reshape(const Term &x, const std::vector<std::int64_t> &shape) { return reshape(x, ints(shape)); }
    /// A Reshape where 0 is an empty dimension, and not the input's size.
    Term reshapeExactly(const Term &x, const Term &shape)
    {
        return make("Reshape", {x, shape}, {{"allowzero", std::int64_t{1}}});
    }
    Term unsqueeze(const Term &x, const std::vector<std::int64_t> &axes) { return make("Unsqueeze", {x, ints(axes)}); }
    Term squeeze(const Term &x, const std::vector<std::int64_t> &axes) { return make("Squeeze", {x, ints(axes)}); }
    Term transpose(const Term &x, const std::vector<std::int64_t> &order)
    {
        return make("Transpose", {x}, {{"perm", list(order)}});
    }
    Term concat(const std::vector<Term> &parts, std::int64_t axis)
    {
        return parts.size() == 1 ? parts.front() : make("Concat", parts, {{"axis", axis}});
    }
    Term slice(const Term &x, std::int64_t axis, const Term &start, const Term &end, std::int64_t step = 1);
    Term shapeOf(const Term &x);                   ///< a vector of int64
    Term sizeOf(const Term &x, std::int64_t axis); ///< a number
    Term vectorOf(const Term &x);                  ///< all elements, row by row
    Term expand(const Term &x, const Term &shape) { return make("Expand", {x, shape}); }
    /// A reduction over these axes: "ReduceSum", which gets the axes in the way of the operator set.
    Term reduce(OnnxName op, const Term &x, const std::vector<std::int64_t> &axes, bool keepDims);

    // Giving up.
    /// Says that the rule does not apply, and why: "the rank of 'self' is not known". The first reason counts.
    Results refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty(); }
    const std::string &reason() const { return m_reason; }
    void forgetReason() { m_reason.clear(); } ///< before another rule is tried

private:
    OnnxGraph &m_graph;
    std::int64_t m_opset;
    std::string m_reason;
};

} // namespace cutaway::rules::to_onnx
