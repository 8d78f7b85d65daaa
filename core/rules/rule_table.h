// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::rules {

/// Finds the rules of one kind, whose member `names` are ops::RowNames, by the operators that they are for.
template <class Rule>
class RuleTable {
public:
    explicit RuleTable(std::span<const Rule> rules) { add(rules); }
    template <class Family>
    RuleTable(std::span<const Family> families, std::span<const Rule> Family::*kind)
    {
        for (const Family &family : families)
            add(family.*kind);
    }

    /// Returns the rules of an operator in the order of the families.
    std::span<const Rule *const> of(std::string_view dialect, std::string_view name) const
    {
        std::string whole(dialect);
        const auto found = m_rules.find(whole.append("::").append(name));
        return found == m_rules.end() ? std::span<const Rule *const>() : found->second;
    }
    /// Returns the first rule of an operator; nullptr if there is none.
    const Rule *first(std::string_view dialect, std::string_view name) const
    {
        const auto rules = of(dialect, name);
        return rules.empty() ? nullptr : rules.front();
    }

private:
    void add(std::span<const Rule> rules)
    {
        for (const Rule &rule : rules)
            for (const std::string_view name : rule.names.each())
                m_rules[name].push_back(&rule);
    }

    std::unordered_map<std::string_view, std::vector<const Rule *>> m_rules;
};

} // namespace cutaway::rules
