// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_lowering.h"

namespace cutaway::formats::torchscript {

class ExpressionLowering;

/// Lowers the calls in one function: calls of operators, of the archive's functions and methods (which are inlined or
/// stay calls), and of the language's builtins.
class CallLowering {
public:
    CallLowering(GraphLowering &graph, Frame &frame, ExpressionLowering &expressions)
        : m_graph(graph),
          m_builder(graph.builder),
          m_frame(frame),
          m_expressions(expressions),
          m_operators(graph, frame)
    {
    }

    Term lower(const Call &call, Position position, std::string_view hint);
    /// Lowers a call of an operator to one result per hint; returns none if it is not a call of an operator.
    std::vector<Typed> lowerOperator(const Call &call, Position position, std::span<const std::string_view> hints);
    /// Inlines a function with these arguments and returns its result.
    Term inlined(const FunctionDefinition &function, std::vector<Term> arguments, Position position)
    {
        return inlined({function, m_frame.call.scope}, {std::move(arguments), {}}, position);
    }

private:
    struct Arguments {
        std::vector<Term> positional;
        std::vector<std::pair<std::string_view, Term>> named;
    };
    /// A function or method of the archive, and the module call that it belongs to.
    struct Callee {
        const FunctionDefinition &function;
        ir::ScopeId scope;
    };

    Term global(std::string_view dotted, const Call &call, Position position, std::string_view hint);
    Term method(const Attribute &callee, const Call &call, Position position, std::string_view hint);
    Term builtin(std::string_view name, const Call &call, Position position, std::string_view hint);
    Term fork(std::string_view operation, const Call &call, Position position, std::string_view hint);
    Term function(const Callee &callee, Arguments arguments, Position position, std::string_view hint);
    Term inlined(const Callee &callee, Arguments arguments, Position position);
    void bindParameters(Frame &frame, Arguments arguments, Position position);
    void bindParameter(Frame &frame, const Parameter &parameter, Term term, Position position);
    void bindDefaults(Frame &frame);
    Term kept(const FunctionDefinition *function, std::string_view name, Arguments arguments, Position position,
              std::string_view hint);
    bool mayInline(const FunctionDefinition &function) const;
    OperatorCall operatorCall(const OperatorName &op, const Call &call);
    Arguments arguments(const Call &call);
    bool isLocal(std::string_view dotted) const;

    GraphLowering &m_graph;
    GraphBuilder &m_builder;
    Frame &m_frame;
    ExpressionLowering &m_expressions;
    OperatorLowering m_operators;
};

} // namespace cutaway::formats::torchscript
