// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/shape_pattern.h"

#include "core/base/overloaded.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::query {

namespace {

std::string withoutBlanks(std::string text)
{
    std::erase(text, ' ');
    return text;
}

/// Whether a size is the number. The match with a formula is unknown if some values of its symbols give that number.
Match isNumber(const ir::Dim &dim, std::int64_t wanted)
{
    if (const auto *number = std::get_if<std::int64_t>(&dim))
        return matchIf(*number == wanted);
    const auto *formula = std::get_if<symbolic::Expr>(&dim);
    const bool cannotBe = formula && (wanted < formula->range().min || wanted > formula->range().max);
    return cannotBe ? Match::No : Match::Unknown;
}

Match isFormula(const ir::Dim &dim, const std::string &wanted)
{
    return ops::isKnown(dim) ? matchIf(withoutBlanks(ir::print(dim)) == wanted) : Match::Unknown;
}

Match isSize(const ir::Dim &dim, const ShapePattern::Size &wanted)
{
    return std::visit(Overloaded{[](ShapePattern::Any) { return Match::Yes; },
                                 [&](std::int64_t number) { return isNumber(dim, number); },
                                 [&](const std::string &formula) { return isFormula(dim, formula); }},
                      wanted);
}

} // namespace

Match ShapePattern::matches(const std::optional<ir::Shape> &shape) const
{
    if (!shape)
        return rest && sizes.empty() ? Match::Yes : Match::Unknown;
    if (rest ? shape->size() < sizes.size() : shape->size() != sizes.size())
        return Match::No;
    const std::size_t skipped = shape->size() - sizes.size();
    Match all = Match::Yes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        all = both(all, isSize((*shape)[rest && i >= *rest ? i + skipped : i], sizes[i]));
    return all;
}

} // namespace cutaway::query
