// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/call_stack.h"
#include "core/formats/torchscript/lowering/operator_calls.h"

namespace cutaway::formats::torchscript {

/// Computes and decides, while functions are inlined, what torch's optimizer does before it inlines them (see
/// folding.h). The code of the root stays as it is.
class ConstantFolder {
public:
    ConstantFolder(const ir::Model &model, Types &types, const ir::Graph &graph, CallStack &calls)
        : m_model(model),
          m_types(types),
          m_graph(graph),
          m_calls(calls)
    {
    }

    /// A constant as the code has it.
    Typed constant(ir::Operand operand) const;
    /// Returns what torch puts in place of a call: the constant that it computes, an item of a list literal, or two
    /// literals as one.
    std::optional<Typed> known(const OperatorCall &call);
    struct Decision {
        bool condition;
        bool isFinal; ///< the function was left with one branch before any of its callers was optimized
    };
    /// Records that torch removes an int() of a number which tracing has made a tensor.
    void noteNumber(const OperatorCall &call);
    /// The level of calls at which torch removes a cast of `value` to `wanted`, which it does if it sees that type
    /// already. 0: the cast stays; nothing in the root, which is not optimized.
    std::optional<std::uint32_t> levelOfCast(const Typed &value, ir::TypeId wanted);
    /// Decides which branch is taken; nothing if that is not known.
    std::optional<Decision> decide(const Typed &condition);
    /// The value of a name after a branch where that needs no result of the branch: a constant that both sides give,
    /// or the condition itself.
    std::optional<Typed> join(const Typed &then, const Typed &orElse, const Typed &condition);

private:
    bool isActive() const { return m_calls.level() > 0; }
    std::optional<Typed> computed(const OperatorCall &call);
    std::optional<Typed> simplified(const OperatorCall &call);
    std::optional<ir::Operand> operandOf(const OperatorCall &call) const;
    std::uint32_t levelOf(const Typed &value) const;

    const ir::Model &m_model;
    Types &m_types;
    const ir::Graph &m_graph;
    CallStack &m_calls;
};

} // namespace cutaway::formats::torchscript
