// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/aten_maker.h"

namespace cutaway::rules::to_aten {

class Decomposition;
/// Makes an operator of aten of core ones.
using MakeParts = Parts (*)(Decomposition &d);

/// A node of aten that a rule takes apart.
class Decomposition : public AtenMaker {
public:
    /// `intoCore`: into operators of core ATen, as PyTorch has them; else into what a conversion has rules for.
    Decomposition(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const ir::NodeRef &node, bool intoCore = true)
        : AtenMaker(rewriter, layouts, node),
          m_intoCore(intoCore)
    {
    }

    const ops::Operator &row(); ///< the row of the operator that is decomposed; it has one
    /// Whether a formula of so many steps computes halves in float32.
    bool widens(std::size_t steps);

    /// The operands that a rule makes in place of the node's results; None only where a result is not read. Where the
    /// rule is refused, or an operand has another dtype or shape than the result, everything is taken back, the list is
    /// empty and whyNot() says why.
    Parts madeBy(MakeParts rule);
    std::string whyNot() const; ///< as a clause

private:
    bool fits(const Parts &results) const;

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
