// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/aten_maker.h"

namespace cutaway::rules::to_aten {

class Decomposition;
/// Makes core operators that compute what an operator of aten does.
using MakeParts = Parts (*)(Decomposition &d);

/// A node of aten that a rule decomposes.
class Decomposition : public AtenMaker {
public:
    /// With `intoCore`, decomposes to operators of core ATen, like PyTorch; else to operators for which a conversion
    /// has rules.
    Decomposition(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const ir::NodeRef &node, bool intoCore = true)
        : AtenMaker(rewriter, layouts, node),
          m_intoCore(intoCore)
    {
    }

    const ops::Operator &row(); ///< the row of the operator that is decomposed; precondition: the operator has a row
    /// Returns `x` as a formula of `steps` steps reads it: float16 or bfloat16 becomes float32 if the formula computes
    /// in several steps. A decomposition for a conversion leaves float16 as it is, unless the result is a wider float.
    Term widened(const Term &x, std::size_t steps);

    /// Applies a rule, and returns the operands that replace the node's results; None only where nothing reads a
    /// result. If the rule refuses, or an operand has another dtype or shape than the result, all new nodes are
    /// removed, the list is empty and whyNot() returns the reason.
    Parts madeBy(MakeParts rule);
    std::string whyNot() const; ///< why the rule does not apply, as a clause

private:
    bool fits(const Parts &results) const;

    bool m_intoCore;
};

/// The rule that decomposes some operators of aten.
struct DecompositionRule {
    ops::RowNames names; ///< the rule applies to all overloads
    MakeParts make;
};
/// Makes the nodes of the formula in the operator's row.
Parts madeByFormula(Decomposition &d);

} // namespace cutaway::rules::to_aten
