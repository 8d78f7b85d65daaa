// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/node.h"
#include "core/rules/onnx_graph.h"
#include "core/rules/term.h"

#include <optional>
#include <span>
#include <vector>

namespace cutaway::rules::to_onnx {

/// A node of the source that becomes nodes of one operator set of ONNX, which are added at the end of a graph.
/// Arguments that are numbers are read as torch means them.
class OnnxMaker : public Node {
public:
    /// The attributes of a new node.
    using Attributes = std::vector<std::pair<std::string_view, ir::Operand>>;

    /// `graph` has to outlive the object.
    OnnxMaker(const Node &node, OnnxGraph &graph, std::int64_t opset) : Node(node), m_graph(graph), m_opset(opset) { }

    OnnxGraph &graph() { return m_graph; }
    std::int64_t opset() const { return m_opset; }

    Term make(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes = {},
              std::optional<ir::DType> dtype = {});
    std::vector<Term> makeAll(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes,
                              const std::vector<ir::DType> &dtypes);
    static ir::Operand list(std::span<const std::int64_t> numbers);
    Term wholes(const std::vector<std::int64_t> &numbers, ir::DType dtype); ///< a vector
    Term ints(const std::vector<std::int64_t> &numbers) { return wholes(numbers, ir::DType::Int64); }
    /// Returns a constant without dimensions. Refuses the rule if `dtype` is an integer dtype and the number does not
    /// fit into 64 bits.
    Term scalar(double number, ir::DType dtype);
    Term scalar(std::int64_t number);
    Term floats(const std::vector<float> &numbers);
    Term none() { return {this, {}}; }

private:
    OnnxGraph &m_graph;
    std::int64_t m_opset;
};

} // namespace cutaway::rules::to_onnx
