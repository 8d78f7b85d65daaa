// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/rules/aten_term.h"
#include "core/rules/node.h"
#include "core/rules/symbolic_sizes.h"

#include <initializer_list>

namespace cutaway::rewrite {
class Layouts;
}

namespace cutaway::rules::to_aten {

/// The operands that a rule makes in place of a node's results, one for each result. If the list is empty, the rule
/// does not certainly apply, and the node stays.
using Parts = std::vector<ir::Operand>;

/// An argument of a new node: by position, or by its name in the schema.
struct With {
    // NOLINTBEGIN(google-explicit-constructor): lists of arguments are written as they are called
    template <class T>
        requires std::constructible_from<ir::Operand, T>
    With(T &&given) : value(std::forward<T>(given))
    {
    }
    With(const Term &term) : value(term.operand) { }
    With(int number) : value(std::int64_t{number}) { }
    // NOLINTEND(google-explicit-constructor)
    With(std::string_view parameter, ir::Operand given) : name(parameter), value(std::move(given)) { }
    std::string_view name;
    ir::Operand value;
};

/// A node that becomes nodes of aten. Rules read its operands, and make new nodes in front of it. Types of the new
/// nodes come from the operators' own shape rules. All new nodes are removed again if the rule refuses, or if the type
/// of a new node's result is not known. The rank and sizes of a result may be unknown if those of a tensor that the
/// node reads are.
class AtenMaker : public Node {
public:
    using With = to_aten::With;

    /// The arguments have to outlive the object.
    AtenMaker(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const ir::NodeRef &node);

    /// Returns an argument, or the schema's default if the node leaves it out; None if there is no default.
    Term operator[](Where where);
    /// Returns the items of a list argument.
    std::vector<Term> items(Where where);

    // These functions read known facts of an operand.
    using Node::knownTensor, Node::tensor, Node::dtype;
    std::optional<Tensor> knownTensor(const Term &x) const { return tensorIn(fact(x)); }
    Tensor tensor(const Term &x) { return neededTensor(fact(x), spoken(x)); }
    ir::DType dtype(const Term &x) { return neededDType(fact(x), spoken(x)); }
    bool isTensor(const ir::Operand &operand) const { return ops::asTensor(fact(operand)) != nullptr; }
    bool isRowMajor(const ir::Operand &operand);

    // The functions below make operands and nodes.
    Term term(ir::Operand operand) { return {this, std::move(operand)}; }
    /// Makes a node of aten, "mul.Tensor". Names of arguments, and defaults of omitted ones, follow the operator's
    /// schema.
    Term make(AtenName target, std::initializer_list<With> arguments)
    {
        return make(target, std::span(arguments.begin(), arguments.size()));
    }
    Term make(AtenName target, std::span<const With> arguments) { return makeAll(target, arguments, 1).front(); }
    std::vector<Term> makeAll(AtenName target, std::initializer_list<With> arguments, std::size_t results)
    {
        return makeAll(target, std::span(arguments.begin(), arguments.size()), results);
    }
    std::vector<Term> makeAll(AtenName target, std::span<const With> arguments, std::size_t results);
    /// Returns the operand of a size. A size that is not known before the model runs is read from the tensors that the
    /// node reads.
    ir::Operand size(const ir::Dim &dim);
    ir::Operand sizes(std::span<const ir::Dim> dims);
    static ir::Operand list(const std::vector<std::int64_t> &numbers);
    static ir::Operand list(std::initializer_list<std::int64_t> numbers)
    {
        return list(std::vector<std::int64_t>(numbers));
    }
    static ir::Operand list(const std::vector<Term> &terms);
    ir::Operand word(std::string_view text); ///< a text as an operand
    ir::Operand device();                    ///< the device of the node's result; None if the file does not record it
    Term scalar(const ir::Operand &number, ir::DType dtype) { return full({}, number, dtype); }
    Term full(const ir::Shape &shape, const ir::Operand &number, ir::DType dtype);
    Term arange(const ir::Dim &end);
    Term constant(const Numbers &numbers); ///< a constant vector of int64, which becomes a tensor of the model
    Term reshaped(const Term &x, const ir::Shape &shape); ///< as reshape(), to a shape that differs from that of `x`

    // The functions below are for the code that applies rules.
    /// Whether the rule has not refused, and the types of the new values are known; ranks and sizes may be unknown if
    /// those of the values that the node reads are.
    bool isComplete() const { return m_isComplete && !isRefused(); }
    const std::vector<ir::NodeId> &nodes() const { return m_made; }
    bool hasMade(ir::ValueId value) const;
    /// Gives the node's results the types that follow from its operands, if the file records no type and propagation
    /// found none that holds for each iteration of a loop.
    void learnResults();
    void undo();

protected:
    rewrite::Rewriter &rewriter() const { return m_rewriter; }
    using Node::spoken;
    /// Returns the words for an operand in the reason of a refusal: "'dim'" if it is an argument of the node, else
    /// "what it computes with".
    std::string spoken(const Term &x) const;

private:
    ir::NodeRef insert(std::string_view dialect, std::string_view name, std::string_view overload,
                       std::vector<ir::Argument> arguments);
    void giveTypes(const ir::NodeRef &node);

    rewrite::Rewriter &m_rewriter;
    rewrite::Layouts &m_layouts;
    std::vector<ir::NodeId> m_made;
    SymbolicSizes m_sizes;
    bool m_isComplete = true;
};

} // namespace cutaway::rules::to_aten
