// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// Makes operands of the IR values of torch's graph. For operands that are no values there, such as constants and lists
/// of values, nodes are added at the graph's insert point and marked.
class JitOperands {
public:
    /// `values`: torch's values, by ValueId. All three arguments must outlive this object.
    JitOperands(const Program &program, JitGraph &jit, const std::vector<torch::jit::Value *> &values)
        : m_program(program),
          m_jit(jit),
          m_values(values)
    {
    }

    /// Returns the value for an operand. `wanted`: the type that the reader has for it; nullptr for any. `length`: the
    /// length of a list in whose place a number may be given. `isFresh`: the reader writes to the value, so that it
    /// must be no constant. Throws torch's exceptions.
    torch::jit::Value *valueOf(const ir::Operand &operand, const c10::TypePtr &wanted,
                               std::optional<std::int32_t> length = {}, bool isFresh = false);

    /// Makes a new mark for the meaning of a node.
    template <class Meaning>
    torch::jit::SourceRange mark(Meaning meaning)
    {
        m_jit.meanings.emplace_back(std::move(meaning));
        return m_jit.marks.next();
    }

private:
    torch::jit::Value *listOf(const ir::List &list, const ir::Operand &operand, const c10::TypePtr &wanted);
    torch::jit::Value *dictOf(const ir::Dict &dict, const ir::Operand &operand, const c10::TypePtr &wanted);
    torch::jit::Value *converted(torch::jit::Value *value, const ir::Operand &operand, const c10::TypePtr &wanted,
                                 std::optional<std::int32_t> length);
    torch::jit::Value *through(torch::jit::NodeKind kind, torch::jit::Value *value, const c10::TypePtr &type,
                               const ir::Operand &operand);
    torch::jit::Value *uninitialized(const c10::TypePtr &type);
    torch::jit::Value *inserted(torch::jit::Node *node, OperandMark meaning);

    const Program &m_program;
    JitGraph &m_jit;
    const std::vector<torch::jit::Value *> &m_values;
};

} // namespace cutaway::plugins
