// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// Operands of the IR as values of torch's graph. Those that torch has no values for, such as constants and lists of
/// values, become nodes at its insert point, which are marked.
class JitOperands {
public:
    /// `values`: torch's values, by ValueId. All three must outlive it.
    JitOperands(const Program &program, JitGraph &jit, const std::vector<torch::jit::Value *> &values)
        : m_program(program),
          m_jit(jit),
          m_values(values)
    {
    }

    /// `wanted`: the type that the reader has for it; null if any will do. `length`: of a list for which a number may
    /// be given. `isFresh`: the reader writes to it, so that it is no constant. Throws torch's exceptions.
    torch::jit::Value *valueOf(const ir::Operand &operand, const c10::TypePtr &wanted,
                               std::optional<std::int32_t> length = {}, bool isFresh = false);

    /// A new mark for what a node means.
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
