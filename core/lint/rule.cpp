// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/rule.h"

#include "core/base/near_names.h"
#include "core/lint/rules/families.h"

#include <algorithm>
#include <functional>

namespace cutaway::lint {

std::string_view levelOf(ir::Severity severity)
{
    switch (severity) {
    case ir::Severity::Error:
        return "error";
    case ir::Severity::Warning:
        return "warning";
    case ir::Severity::Info:
        break;
    }
    return "note";
}

std::span<const Rule *const> rules()
{
    static const std::vector<const Rule *> all = [] {
        std::vector<const Rule *> found;
        for (const auto family : {analysisRules(), opsetRules(), metadataRules(), effectRules(), dtypeRules(),
                                  unusedRules(), targetRules()})
            for (const Rule &rule : family)
                found.push_back(&rule);
        std::ranges::stable_sort(found, std::greater(), &Rule::severity);
        return found;
    }();
    return all;
}

std::vector<const Rule *> defaultRules()
{
    std::vector<const Rule *> chosen;
    std::ranges::copy_if(rules(), std::back_inserter(chosen),
                         [](const Rule *rule) { return rule->asked == Rule::Asked::ByDefault; });
    return chosen;
}

Result<const Rule *> findRule(std::string_view id)
{
    const auto found = std::ranges::find(rules(), id, &Rule::id);
    if (found != rules().end())
        return *found;
    std::vector<std::string_view> names;
    std::ranges::transform(rules(), std::back_inserter(names), &Rule::id);
    return usageError("unknown rule '" + std::string(id) + "'; there is " + nearNames(id, names));
}

} // namespace cutaway::lint
