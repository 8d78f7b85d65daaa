// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/call_stack.h"
#include "core/formats/torchscript/lowering/operator_calls.h"

namespace cutaway::formats::torchscript {

/// While functions are inlined, does what torch's optimizer does before it inlines them: computes constants and
/// decides branches (see folding.h). The code of the root is not changed.
class ConstantFolder {
public:
    ConstantFolder(const ir::Model &model, Types &types, const ir::Graph &graph, CallStack &calls)
        : m_model(model),
          m_types(types),
          m_graph(graph),
          m_calls(calls)
    {
    }

    /// Returns `operand`, a literal in the code, as a constant with its type.
    Typed constant(ir::Operand operand) const;
    /// Returns what torch replaces a call by: the constant that it computes, an item of a list literal, or two list
    /// literals joined to one; nothing if torch keeps the call.
    std::optional<Typed> known(const OperatorCall &call);
    struct Decision {
        bool condition;
        bool isFinal; ///< whether torch takes the branch before it optimizes any of the function's callers
    };
    /// Records that torch removes an int() of a number that tracing turned into a tensor.
    void noteNumber(const OperatorCall &call);
    /// Returns the level of calls at which torch removes a cast of `value` to `wanted`, because it already sees that
    /// type. 0: the cast stays. Nothing in the root, which is not optimized.
    std::optional<std::uint32_t> levelOfCast(const Typed &value, ir::TypeId wanted);
    /// Decides which side of a branch is taken; nothing if the condition is not known.
    std::optional<Decision> decide(const Typed &condition);
    /// Returns the value that a name has after a branch, if it needs no result of the branch: a constant that both
    /// sides give, or the condition itself.
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
