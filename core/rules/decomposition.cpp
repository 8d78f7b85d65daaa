// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/decomposition.h"

#include <algorithm>
#include <cassert>

namespace cutaway::rules::to_aten {

const ops::Operator &Decomposition::row()
{
    const ops::Operator *row = rewriter().row(node());
    assert(row);
    return *row;
}

Term Decomposition::widened(const Term &x, std::size_t steps)
{
    const bool computes = steps > 1 && row().pattern != ops::Pattern::Moving && row().pattern != ops::Pattern::Picking;
    const auto dtype = isTensor(x) ? dtypeIn(fact(x)) : std::nullopt, result = dtypeIn(factOfResult(0));
    const bool isKept =
        !m_intoCore && dtype == ir::DType::Float16 && result && (isHalf(*result) || !ir::isFloating(*result));
    return computes && dtype && !isKept ? to_aten::widened(x) : x;
}

Parts Decomposition::madeBy(MakeParts rule)
{
    Parts results = rule(*this);
    if (fits(results))
        return results;
    undo();
    return {};
}

bool Decomposition::fits(const Parts &results) const
{
    if (!isComplete() || results.size() != resultCount())
        return false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].as<ir::None>() ? isRead(i) : !mayBeSame(factOfResult(i), fact(results[i])))
            return false;
    }
    return true;
}

std::string Decomposition::whyNot() const { return isRefused() ? reason() : "what they compute here is not certain"; }

} // namespace cutaway::rules::to_aten
