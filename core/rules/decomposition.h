// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ops/row_names.h"
#include "core/rewrite/rewriter.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::rewrite {
class Layouts;
}

namespace cutaway::rules::to_aten {

class Decomposition;

/// An operand that a rule computes with. Operators on it make nodes: of add, sub, mul, div and comparisons.
struct Term {
    Decomposition *made = nullptr; ///< where nodes are made
    ir::Operand operand;

    // NOLINTNEXTLINE(google-explicit-constructor): it is the operand
    operator ir::Operand() const { return operand; }
    bool isNone() const { return operand.as<ir::None>() != nullptr; }
};

/// The operands that a rule makes in place of a node's results, one per result. Empty: the rule does not certainly
/// apply, and the node stays.
using Parts = std::vector<ir::Operand>;

/// One node of aten that a rule takes apart: what the rule reads of it, and the nodes that the rule makes. The nodes
/// are removed again if the rule gives up, or if the type of one of their results is not known.
class Decomposition {
public:
    struct Tensor {
        ir::DType dtype;
        ir::Shape shape;
        std::size_t rank() const { return shape.size(); }
    };
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

    /// `intoCore`: into operators of core ATen, as PyTorch has them; else into what a conversion has rules for.
    Decomposition(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, ir::NodeRef node, bool intoCore = true);

    // Reading.
    const ops::Operator &row(); ///< of the operator, which has one
    /// Whether a formula of so many steps computes halves in float32.
    bool widens(std::size_t steps);
    std::string_view overload() const { return m_node.overload(); }
    std::size_t resultCount() const { return m_node.outputCount(); }
    ops::Call call() { return m_rewriter.call(m_node); }
    /// An argument, or the schema's default; None where there is neither.
    Term argument(std::string_view parameter);
    Term operator[](std::string_view parameter) { return argument(parameter); }
    bool has(std::string_view parameter) { return !argument(parameter).isNone(); }
    std::optional<std::int64_t> integer(std::string_view parameter) { return call().integer(parameter); }
    std::optional<double> number(std::string_view parameter) { return call().floating(parameter); }
    std::optional<bool> flag(std::string_view parameter) { return call().flag(parameter); }
    std::string_view text(std::string_view parameter);
    /// The numbers of a list that are all known; one number counts as a list of it.
    std::optional<std::vector<std::int64_t>> integers(std::string_view parameter);
    /// The items of a list argument.
    std::vector<Term> items(std::string_view parameter);
    ir::Operand resultValue(std::size_t position = 0) const { return m_node.output(position).id(); }
    /// A tensor whose dtype and shape are known.
    std::optional<Tensor> tensor(const ir::Operand &operand);
    std::optional<Tensor> result(std::size_t position = 0) { return tensor(resultValue(position)); }
    ir::DType dtype(const ir::Operand &operand); ///< of what tensor() knows, else the rule has to give up
    ops::Fact fact(const ir::Operand &operand) { return m_rewriter.fact(operand); }
    bool isTensor(const ir::Operand &operand);

    // Making.
    Term term(ir::Operand operand) { return {this, std::move(operand)}; }
    /// Makes a node of aten, "mul.Tensor". Names of arguments, and defaults of omitted ones, follow the operator's
    /// schema.
    Term make(std::string_view target, std::initializer_list<With> arguments)
    {
        return make(target, std::span(arguments.begin(), arguments.size()));
    }
    Term make(std::string_view target, std::span<const With> arguments)
    {
        return makeAll(target, arguments, 1).front();
    }
    std::vector<Term> makeAll(std::string_view target, std::initializer_list<With> arguments, std::size_t results)
    {
        return makeAll(target, std::span(arguments.begin(), arguments.size()), results);
    }
    std::vector<Term> makeAll(std::string_view target, std::span<const With> arguments, std::size_t results);
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
    /// Makes the rule give up.
    void fail() { m_isComplete = false; }
    /// Makes the rule give up, and says why in a clause: "its reduction is not known".
    void fail(std::string reason)
    {
        fail();
        m_reason = std::move(reason);
    }

    // Nodes that many rules make.
    Term cast(const Term &x, ir::DType dtype); ///< `x` itself where it has that dtype
    /// `x` in float32 if its dtype is a half, as PyTorch computes pointwise operators.
    Term widened(const Term &x);
    Term view(const Term &x, const ir::Shape &shape);    ///< for an `x` of which this view certainly exists
    Term reshape(const Term &x, const ir::Shape &shape); ///< a view; of a copy where the view is not certain
    Term permute(const Term &x, const std::vector<std::size_t> &order);
    Term transposed(const Term &x, std::size_t a, std::size_t b);
    Term expand(const Term &x, const ir::Shape &shape);
    Term unsqueeze(const Term &x, std::int64_t dim) { return make("unsqueeze", {x, dim}); }
    Term slice(const Term &x, std::size_t dim, const ir::Operand &start, const ir::Operand &end);
    Term scalar(const ir::Operand &number, ir::DType dtype); ///< a tensor without dimensions
    Term full(const ir::Shape &shape, const ir::Operand &number, ir::DType dtype);
    Term arange(const ir::Dim &end);
    Term matmul(const Term &a, const Term &b) { return make("matmul", {a, b}); }
    Term sum(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim);
    Term mean(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim);
    bool isRowMajor(const ir::Operand &operand);

    // For the code that applies rules.
    bool isComplete() const { return m_isComplete; }
    const std::string &reason() const { return m_reason; } ///< "" if the rule has not said why it gave up
    const std::vector<ir::NodeId> &nodes() const { return m_made; }
    bool hasMade(ir::ValueId value) const;
    /// Gives the node's results the types that follow from what the node reads, where the file records no type and
    /// propagation found none that holds for each iteration of a loop.
    void learnResults();
    void undo();

private:
    ir::NodeRef insert(std::string_view dialect, std::string_view name, std::string_view overload,
                       std::vector<ir::Argument> arguments);
    void giveTypes(const ir::NodeRef &node);
    std::optional<ir::DType> autocastType();
    void noteLayout(const ir::NodeRef &node);
    ir::Operand madeNumber(std::string_view function, ir::Operand a, const ir::Operand &b, const ir::Dim &value);
    std::optional<ir::Operand> givenSize(const ir::Dim &dim);
    std::optional<ir::Operand> sizeIn(const ir::Operand &operand, const ir::Dim &dim);
    std::optional<ir::Operand> computedSize(const symbolic::Expr &expr);

    rewrite::Rewriter &m_rewriter;
    rewrite::Layouts &m_layouts;
    ir::NodeRef m_node;
    std::vector<ir::NodeId> m_made;
    bool m_intoCore;
    std::vector<std::pair<symbolic::Expr, ir::Operand>> m_sizes; ///< that are there already
    bool m_isComplete = true;
    std::string m_reason;
};

// Nodes for two tensors, or for a tensor and a number.
Term operator+(const Term &a, const Term &b);
Term operator-(const Term &a, const Term &b);
Term operator*(const Term &a, const Term &b);
Term operator/(const Term &a, const Term &b);
Term operator+(const Term &a, double b);
Term operator-(const Term &a, double b);
Term operator*(const Term &a, double b);
Term operator/(const Term &a, double b);
Term operator-(double a, const Term &b);
Term operator-(const Term &a);
Term where(const Term &condition, const Term &a, const Term &b);
/// Compares a tensor with a tensor or number by "eq", "lt", ….
Term compared(std::string_view comparison, const Term &a, const Term &b);
/// Applies an operator that takes one tensor: "exp", "tanh", ….
Term applied(std::string_view function, const Term &x);

/// Makes an operator of aten of core ones.
using MakeParts = Parts (*)(Decomposition &d);
/// The rule by which some operators of aten are taken apart.
struct DecompositionRule {
    ops::RowNames names; ///< all overloads share the rule
    MakeParts make;
};
/// The rule for operators that have a formula in their row.
Parts madeByFormula(Decomposition &d);

} // namespace cutaway::rules::to_aten
