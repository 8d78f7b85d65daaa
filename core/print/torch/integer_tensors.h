// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/call_forms.h"
#include "core/print/torch/tensor_paths.h"

#include <unordered_map>

namespace cutaway::print {

/// Finds sizes on their way through a trace: tracing makes a tensor of each size, computes with these tensors, and
/// makes a number of the result. The printed code computes with the numbers.
class IntegerTensors {
public:
    /// `isSteady` returns true for nodes whose results can also be computed later, where they are read.
    IntegerTensors(const ir::Model &model, const ir::Graph &graph, const TensorPaths &paths, CallForms &forms,
                   std::function<bool(const ir::NodeRef &)> isSteady)
        : m_model(model),
          m_graph(graph),
          m_paths(paths),
          m_forms(forms),
          m_isSteady(std::move(isSteady))
    {
    }

    /// Whether the value is an int64 tensor without dimensions that is computed from numbers only.
    bool contains(ir::ValueId value);
    /// Returns the tensor that a node converts to a number; nothing for other nodes.
    std::optional<ir::ValueId> read(const ir::NodeRef &node);
    /// Visits the numbers that the tensor is computed from.
    void visitNumbers(ir::ValueId value, const std::function<void(const ir::Operand &)> &visit);
    /// Returns the code of the number that the tensor stands for.
    Expression code(ir::ValueId value, const OperandCode &operand);

private:
    bool isInteger(const ir::Operand &operand);
    bool find(ir::ValueId value);
    std::optional<std::int64_t> constant(const ir::Operand &operand) const;

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const TensorPaths &m_paths;
    CallForms &m_forms;
    std::function<bool(const ir::NodeRef &)> m_isSteady;
    std::unordered_map<ir::ValueId, bool> m_known;
};

} // namespace cutaway::print
