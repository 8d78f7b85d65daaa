// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/print/operators/operator_spelling.h"
#include "core/print/python_operands.h"

#include <span>

namespace cutaway::print {

/// Prints what a node computes as a Python expression: "torch.add(x, 2)", "a is b", "onnx.Loop(n, body=body)".
class CallText {
public:
    CallText(const ir::Model &model, const PythonOperands &operands) : m_model(model), m_operands(operands) { }

    /// Returns the call as an expression. `closures`: the names of the functions that the node's regions became.
    std::string call(const ir::NodeRef &node, const OperatorSpelling &spelling,
                     std::span<const std::string> closures) const;

    /// Returns the spelling's pattern with the node's arguments filled in; call() if the node lacks arguments for it.
    std::string pattern(const ir::NodeRef &node, const OperatorSpelling &spelling) const;

    /// Returns "(x, 2)": all arguments without their names, except those named in `except`.
    std::string positional(const ir::NodeRef &node, std::span<const std::string_view> except) const;

private:
    std::string operand(const ir::Operand &operand) const;
    bool needsNoName(const ir::NodeRef &node, std::size_t index, const OperatorSpelling &spelling) const;
    std::optional<std::string> fill(const ir::NodeRef &node, std::string_view pattern) const;
    std::optional<std::string> field(const ir::NodeRef &node) const;
    std::string atom(const ir::Operand &operand) const;
    std::string items(const ir::NodeRef &node, char bracket) const;

    const ir::Model &m_model;
    const PythonOperands &m_operands;
};

} // namespace cutaway::print
