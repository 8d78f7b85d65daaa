// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"

#include <cassert>
#include <unordered_map>

namespace cutaway::evaluate {

namespace {

using Rules = std::unordered_map<std::string_view, Rule>;

void add(Rules &rules, const RuleRow &row)
{
    for (std::string_view left = row.kinds; !left.empty();) {
        const std::size_t end = std::min(left.find(' '), left.size());
        [[maybe_unused]] const bool isNew = rules.emplace(left.substr(0, end), row.rule).second;
        assert(isNew && "a kind has one rule");
        left.remove_prefix(std::min(end + 1, left.size()));
    }
}

Rules allRules()
{
    Rules rules;
    for (const auto family : {activationRules(), containerRules(), convolutionRules(), creationRules(),
                              elementwiseRules(), joiningRules(), matrixProductRules(), normalizationRules(),
                              poolingRules(), quantizationRules(), reductionRules(), viewRules()})
        for (const RuleRow &row : family)
            add(rules, row);
    return rules;
}

} // namespace

Rule ruleOf(std::string_view kind)
{
    static const Rules rules = allRules();
    const auto found = rules.find(kind);
    return found == rules.end() ? nullptr : found->second;
}

} // namespace cutaway::evaluate
