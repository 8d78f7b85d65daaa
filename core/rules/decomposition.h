// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/aten_maker.h"

namespace cutaway::rules::to_aten {

class Decomposition;
/// Makes an operator of aten of core ones.
using MakeParts = Parts (*)(Decomposition &d);

/// One node of aten that a rule takes apart: what the rule reads of it, and the nodes that the rule makes.
class Decomposition : public AtenMaker {
public:
    /// `intoCore`: into operators of core ATen, as PyTorch has them; else into what a conversion has rules for.
    Decomposition(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, ir::NodeRef node, bool intoCore = true)
        : AtenMaker(rewriter, layouts, node),
          m_intoCore(intoCore)
    {
    }

    const ops::Operator &row(); ///< of the operator, which has one
    /// Whether a formula of so many steps computes halves in float32.
    bool widens(std::size_t steps);
    std::string_view overload() const { return node().overload(); }
    std::size_t resultCount() const { return node().outputCount(); }
    ops::Call call() { return rewriter().call(node()); }
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
    ir::Operand resultValue(std::size_t position = 0) const { return node().output(position).id(); }
    /// The type of a result, where it is known.
    std::optional<Tensor> result(std::size_t position = 0) { return tensor(resultValue(position)); }

    /// The operands that a rule makes in place of the node's results; None only where a result is not read. Where the
    /// rule gives up, or an operand has another dtype or shape than the result, everything is taken back, the list is
    /// empty and whyNot() says why.
    Parts madeBy(MakeParts rule);
    std::string whyNot() const; ///< why the rule gave up, as a clause

private:
    bool fits(const Parts &results);

    bool m_intoCore;
};

/// The rule by which some operators of aten are taken apart.
struct DecompositionRule {
    ops::RowNames names; ///< all overloads share the rule
    MakeParts make;
};
/// The rule for operators that have a formula in their row.
Parts madeByFormula(Decomposition &d);

} // namespace cutaway::rules::to_aten
