// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/graph_lowering.h"

namespace cutaway::formats::fx {

/// Lowers calls, attributes and operators of Python if their meaning follows from what is known; throws NotKnown
/// otherwise. Names in a file are looked up only here and in the library.
class Calls {
public:
    explicit Calls(GraphLowering &graph) : m_graph(graph), m_operators(graph.operators) { }

    /// Lowers a call of a function by its full name: "torch.relu", "torch.ops.aten.add.Tensor", "operator.add", "len".
    Term function(std::string_view name, const GivenArguments &given);
    Term method(const Term &object, std::string_view name, const GivenArguments &given);
    Term module(const ModuleTerm &module, const GivenArguments &given);

    Term attribute(const Term &object, std::string_view name);
    Term item(const Term &object, const Term &index);
    Term unary(std::string_view op, const Term &operand);
    Term binary(std::string_view op, const Term &left, const Term &right);
    /// Lowers `a += b`.
    Term inPlace(std::string_view op, const Term &left, const Term &right);

    /// Whether Python treats the value as true. Throws NotKnown if that depends on what the graph computes.
    bool isTrue(const Term &term);

    Term items(std::vector<Term> items, bool isTuple);
    /// Makes a slice; `parts` are start, stop and step.
    Term slice(std::vector<Term> parts);
    Term constant(const ir::Operand &operand) { return m_operators.term(operand); }

private:
    Term atenCall(std::string_view name, std::vector<Term> positional)
    {
        return m_operators.call("aten", name, {std::move(positional), {}});
    }
    Term attributeOf(const ModuleTerm &module, std::string_view name);
    Term pythonFunction(std::string_view name, const GivenArguments &given);
    /// Returns the result of a Python function with one argument; nothing if it is not known.
    std::optional<Term> pythonFunction(std::string_view name, const Term &operand);
    Term torchOperator(std::string_view name, const GivenArguments &given);
    Term pythonOperator(std::string_view name, const GivenArguments &given);
    Term device(const GivenArguments &given);
    Term moduleOf(const ModuleTerm &module, const GivenArguments &given);
    Term sequence(const ModuleTerm &module, const GivenArguments &given);
    Term identity(const Term &left, const Term &right);
    std::optional<Term> folded(std::string_view op, const Term &left, const Term &right);
    Term numberFirst(std::string_view op, const Term &number, const Term &tensor);
    Term itemOf(const ItemsTerm &items, const Term &index);
    Term itemOfList(const Term &list, const Term &index);
    bool isTensor(const Term &term) const;
    bool isUnknown(const Term &term) const;

    GraphLowering &m_graph;
    OperatorCalls &m_operators;
};

/// Returns the value of a constant integer that is not a Boolean; nothing for other terms.
std::optional<std::int64_t> integerOf(const Term &term);
/// Returns the text of a constant string; nothing for any other term.
std::optional<std::string_view> textOf(const ir::Context &context, const Term &term);
bool isNone(const Term &term);
/// Whether the term is a constant, not a value of the graph.
bool isConstant(const Term &term);

} // namespace cutaway::formats::fx
