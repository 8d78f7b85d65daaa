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

bool Decomposition::widens(std::size_t steps)
{
    return m_intoCore && steps > 1 && row().pattern != ops::Pattern::Moving && row().pattern != ops::Pattern::Picking;
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
        const auto expected = knownResult(i), found = tensorIn(fact(results[i]));
        const bool agrees = !expected || !found
            || (expected->dtype == found->dtype
                && std::ranges::equal(expected->shape, found->shape,
                                      [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); }));
        if (results[i].as<ir::None>() ? isRead(i) : !agrees)
            return false;
    }
    return true;
}

std::string Decomposition::whyNot() const { return isRefused() ? reason() : "what they compute here is not certain"; }

} // namespace cutaway::rules::to_aten
