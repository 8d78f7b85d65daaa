// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/control_flow_lowering.h"
#include "core/formats/torchscript/lowering/expression_lowering.h"

namespace cutaway::formats::torchscript {

/// Lowers the statements of a function, or of the local function of a fork, into the current region.
class StatementLowering {
public:
    StatementLowering(GraphLowering &graph, Frame &frame);
    StatementLowering(const StatementLowering &) = delete;
    StatementLowering &operator=(const StatementLowering &) = delete;

    /// Lowers the statements of `body`; returns the term that they return, or None.
    Term run(const Block &body);

private:
    void block(const Block &block);
    void lower(StatementId id, const Assign &assign);
    void lower(StatementId, const Augment &) { } // code that torch writes has no such statement
    void lower(StatementId id, const Evaluate &evaluate);
    void lower(StatementId id, const If &branch) { m_controlFlow.lower(id, branch); }
    void lower(StatementId id, const While &loop) { m_controlFlow.lower(id, loop); }
    void lower(StatementId id, const For &loop) { m_controlFlow.lower(id, loop); }
    void lower(StatementId id, const With &with);
    void lower(StatementId id, const Return &result);
    void lower(StatementId id, const LocalFunction &local);
    Term assigned(ExpressionId value, std::string_view name, Position position);
    void assignTo(ExpressionId target, Term term);
    std::vector<std::string_view> namesOf(std::span<const ExpressionId> targets) const;

    GraphLowering &m_graph;
    GraphBuilder &m_builder;
    Frame &m_frame;
    OperatorLowering m_operators;
    ExpressionLowering m_expressions;
    ControlFlowLowering m_controlFlow;
    ir::RegionId m_region; ///< the region of the statements that are outside of all blocks
    std::optional<Term> m_result;
};

} // namespace cutaway::formats::torchscript
