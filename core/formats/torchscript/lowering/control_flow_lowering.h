// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/expression_lowering.h"

#include <array>
#include <functional>

namespace cutaway::formats::torchscript {

/// Lowers branches and loops. A block becomes a region: its assignments are undone after it, and the names that are
/// read later become results. Facts tells which names these are.
class ControlFlowLowering {
public:
    using LowerBlock = std::function<void(const Block &)>;

    ControlFlowLowering(GraphLowering &graph, Frame &frame, ExpressionLowering &expressions, LowerBlock lowerBlock)
        : m_graph(graph),
          m_builder(graph.builder),
          m_types(graph.archive.types),
          m_frame(frame),
          m_expressions(expressions),
          m_lowerBlock(std::move(lowerBlock))
    {
    }

    void lower(StatementId id, const If &branch);
    void lower(StatementId id, const While &loop);
    void lower(StatementId id, const For &loop);

private:
    using Names = std::vector<std::string_view>;
    /// A loop to lower. A while loop has no counter; a for loop's condition is always true.
    struct Loop {
        const Block &body;
        ir::Operand tripCount;
        ir::Operand condition;
        std::optional<std::string_view> counter;
        std::optional<ExpressionId> nextCondition;
    };

    Names resultsOf(StatementId id, const If &branch) const;
    std::vector<Term> sideOf(const Block &block, ir::RegionId region, const Names &results);
    std::optional<Term> joined(const Term &then, const Term &orElse, const Typed &condition);
    void takeSide(StatementId id, const Block &taken, const Block &skipped, bool isFinal);
    void lower(StatementId id, Loop loop);
    Names carriedBy(StatementId id, const Block &body) const;
    std::vector<ir::TypeId> loopBody(const Loop &loop, ir::RegionId region, const Names &carried,
                                     std::vector<ir::TypeId> types);
    bool isNeededAfter(std::string_view name, StatementId id) const;

    GraphLowering &m_graph;
    GraphBuilder &m_builder;
    Types &m_types;
    Frame &m_frame;
    ExpressionLowering &m_expressions;
    LowerBlock m_lowerBlock;
    std::vector<Names> m_carried; ///< by loop around the statement, outermost first: the names that it carries
};

} // namespace cutaway::formats::torchscript
