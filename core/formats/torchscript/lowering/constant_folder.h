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
    ConstantFolder(const ir::Model &model, Types &types, const ir::Graph &graph, const CallStack &calls)
        : m_model(model),
          m_types(types),
          m_graph(graph),
          m_calls(calls)
    {
    }

    /// A constant as the code has it.
    Typed constant(ir::Operand operand) const;
    /// The constant that a call comes to.
    std::optional<Typed> valueOf(const OperatorCall &call);
    struct Decision {
        bool condition;
        bool isFinal; ///< the function was left with one branch before any of its callers was optimized
    };
    /// Which branch is taken, if that is known.
    std::optional<Decision> decide(const Typed &condition);
    /// The value of a name behind a branch where that needs no result of the branch: a constant that both sides give,
    /// or the condition itself.
    std::optional<Typed> join(const Typed &then, const Typed &orElse, const Typed &condition);

    /// Whether something was computed or decided since forget(), which may have left dead code.
    bool hasFolded() const { return m_hasFolded; }
    void forget() { m_hasFolded = false; }

private:
    bool isActive() const { return m_calls.level() > 0; }
    std::optional<ir::Operand> operandOf(const OperatorCall &call) const;
    std::optional<std::int64_t> convolutionRank(const Typed &tensor) const;
    std::uint32_t levelOf(const Typed &value) const;

    const ir::Model &m_model;
    Types &m_types;
    const ir::Graph &m_graph;
    const CallStack &m_calls;
    bool m_hasFolded = false;
};

} // namespace cutaway::formats::torchscript
