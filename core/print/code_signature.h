// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/python_operands.h"
#include "core/print/torchscript_names.h"

#include <span>

namespace cutaway::print {

/// Whether the output is written to a buffer, parameter or argument instead of being returned.
bool isMutation(ir::FunctionOutput::Kind kind);

/// Prints a function's parameters and results as Python code.
class CodeSignature {
public:
    CodeSignature(const ir::Function &function, TorchScriptNames &names, const PythonOperands &operands)
        : m_function(function),
          m_graph(function.graph),
          m_names(names),
          m_operands(operands)
    {
    }

    /// Returns a value with its type: "x: Tensor".
    std::string declared(ir::ValueId value) const;
    /// Returns "self", "x: Tensor", "k=3", "*", "slope=0.1".
    std::vector<std::string> parameters();
    std::vector<ir::Operand> userOutputs() const;
    /// Returns " -> Tuple[Tensor, int]"; "" if no type is known.
    std::string results(const std::vector<ir::Operand> &outputs) const;

private:
    std::string defaultOf(const ir::FunctionInput &input) const;
    std::string_view text(ir::NameId id) const;
    std::string typeOf(const ir::Operand &operand) const;

    const ir::Function &m_function;
    const ir::Graph &m_graph;
    TorchScriptNames &m_names;
    const PythonOperands &m_operands;
};

} // namespace cutaway::print
