// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"

#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>

namespace cutaway::ops {

/// Finds rules, whose member `names` are RowNames, by the operators that they are for.
template <class Rule>
class RuleTable {
public:
    RuleTable(std::initializer_list<std::span<const Rule>> families)
    {
        for (const std::span<const Rule> family : families)
            for (const Rule &rule : family)
                for (const std::string_view name : rule.names.each())
                    m_rules[name].push_back(&rule);
    }

    /// The rules of an operator in the order of the table.
    std::span<const Rule *const> of(std::string_view dialect, std::string_view name) const
    {
        std::string whole(dialect);
        const auto found = m_rules.find(whole.append("::").append(name));
        return found == m_rules.end() ? std::span<const Rule *const>() : found->second;
    }
    /// The first rule of an operator; nullptr if there is none.
    const Rule *first(std::string_view dialect, std::string_view name) const
    {
        const auto rules = of(dialect, name);
        return rules.empty() ? nullptr : rules.front();
    }

private:
    std::unordered_map<std::string_view, std::vector<const Rule *>> m_rules;
};

} // namespace cutaway::ops
