// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/call_lowering.h"

namespace cutaway::formats::torchscript {

/// Lowers the expressions of one function. A hint is the name that the code gives to the result, or "".
class ExpressionLowering {
public:
    ExpressionLowering(GraphLowering &graph, Frame &frame);
    ExpressionLowering(const ExpressionLowering &) = delete;
    ExpressionLowering &operator=(const ExpressionLowering &) = delete;

    Term term(ExpressionId id, std::string_view hint = {});
    Typed value(ExpressionId id, std::string_view hint = {}) { return asValue(term(id, hint)); }
    /// Returns the term as a value of the graph.
    Typed asValue(Term term);

    CallLowering &calls() { return m_calls; }

private:
    Term lower(const Expression &expression, std::string_view hint);
    Term typed(const TypedForm &form, Position position, std::string_view hint);
    Term name(const Name &name, Position position);
    Term attribute(ExpressionId id, const Attribute &attribute, std::string_view hint);
    Term attributeOf(const ModuleTerm &module, std::string_view name, Position position, std::string_view hint);
    Typed attributeOf(const Typed &object, std::string_view name, Position position, std::string_view hint);
    Typed enumPart(const Typed &member, std::string_view name, const NodeOrigin &origin, std::string_view hint);
    Term global(std::string_view dotted, Position position);
    Term constant(std::string_view number, Position position);
    Typed subscript(const Subscript &subscript, Position position, std::string_view hint);
    Typed moduleAt(const ModuleTerm &modules, const Typed &index, Position position, std::string_view hint);
    Typed container(const List &list);
    Typed container(const Tuple &tuple);
    Typed dict(const Dict &dict, Position position, std::string_view hint);
    Typed isInstance(const TypedForm &test, Position position, std::string_view hint);
    Typed cast(const TypedForm &cast, std::string_view hint);
    Term annotated(const TypedForm &annotate, std::string_view hint);

    GraphLowering &m_graph;
    GraphBuilder &m_builder;
    Types &m_types;
    Frame &m_frame;
    OperatorLowering m_operators;
    CallLowering m_calls;
};

} // namespace cutaway::formats::torchscript
