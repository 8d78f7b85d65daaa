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

/// The operands that a rule makes in place of a node's results, one per result. Empty: the rule does not certainly
/// apply, and the node stays.
using Parts = std::vector<ir::Operand>;

/// A node that becomes nodes of aten: what rules read of it, and the nodes that they make before it. Types of what is
/// made come from the operators' own shape rules. Everything is removed again if the rule is refused, or if the type of
/// a new node's result is not known.
class AtenMaker : public Node {
public:
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

    /// The arguments have to outlive the object.
    AtenMaker(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const ir::NodeRef &node);

    /// An argument, or the schema's default; None where there is neither.
    Term operator[](Where where);
    /// The items of a list argument.
    std::vector<Term> items(Where where);

    // Reading what is known of an operand.
    using Node::knownTensor, Node::tensor;
    std::optional<Tensor> knownTensor(const Term &x) const { return tensorIn(fact(x)); }
    Tensor tensor(const Term &x);
    ir::DType dtype(const Term &x) { return tensor(x).dtype; }
    bool isTensor(const ir::Operand &operand) const { return ops::asTensor(fact(operand)) != nullptr; }
    bool isRowMajor(const ir::Operand &operand);

    // Making.
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
    /// The operand of a size, read from the tensors that the node reads where the size is not known before the model
    /// runs.
    ir::Operand size(const ir::Dim &dim);
    ir::Operand sizes(std::span<const ir::Dim> dims);
    static ir::Operand list(const std::vector<std::int64_t> &numbers);
    static ir::Operand list(std::initializer_list<std::int64_t> numbers)
    {
        return list(std::vector<std::int64_t>(numbers));
    }
    static ir::Operand list(const std::vector<Term> &terms);
    ir::Operand word(std::string_view text); ///< a text as an operand
    ir::Operand device();                    ///< where the node's result lies; None where the file does not say
    Term scalar(const ir::Operand &number, ir::DType dtype) { return full({}, number, dtype); }
    Term full(const ir::Shape &shape, const ir::Operand &number, ir::DType dtype);
    Term arange(const ir::Dim &end);
    Term constant(const Numbers &numbers);                ///< a vector of int64 of the model
    Term reshaped(const Term &x, const ir::Shape &shape); ///< see reshape(), for another shape than it has

    // For the code that applies rules.
    /// Whether nothing refused the rule, and the types of all that it made are known.
    bool isComplete() const { return m_isComplete && !isRefused(); }
    const std::vector<ir::NodeId> &nodes() const { return m_made; }
    bool hasMade(ir::ValueId value) const;
    /// Gives the node's results the types that follow from what the node reads, where the file records no type and
    /// propagation found none that holds for each iteration of a loop.
    void learnResults();
    void undo();

protected:
    rewrite::Rewriter &rewriter() const { return m_rewriter; }

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
