// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/choice.h"
#include "core/base/result.h"

#include <algorithm>

namespace cutaway::lint {

namespace {

Result<std::vector<const Rule *>> rulesNamed(const std::vector<std::string> &ids)
{
    std::vector<const Rule *> found;
    for (const std::string &id : ids) {
        CUTAWAY_TRY(const auto rule, findRule(id));
        found.push_back(rule);
    }
    return found;
}

} // namespace

Result<std::vector<const Rule *>> chosenRules(const Choice &choice)
{
    CUTAWAY_TRY(const auto only, rulesNamed(choice.only));
    CUTAWAY_TRY(const auto without, rulesNamed(choice.without));
    std::vector<const Rule *> chosen;
    for (const Rule *rule : rules()) {
        const bool isNamed = std::ranges::contains(only, rule) || std::ranges::contains(choice.targets, rule->id);
        const bool isDefault = only.empty() && rule->asked == Rule::Asked::ByDefault;
        if ((isNamed || isDefault || choice.all) && !std::ranges::contains(without, rule))
            chosen.push_back(rule);
    }
    return chosen;
}

} // namespace cutaway::lint
