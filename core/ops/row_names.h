// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::ops {

/// The names of all rows with their dialects, sorted. `packaging/build test write_operators` writes the list anew from
/// the rows.
inline constexpr std::array rowNames = std::to_array<std::string_view>({
#include "core/ops/row_names.def"
});

/// Names of operators, divided by blanks: "aten::clamp aten::clip". A name that no row has does not compile.
class RowNames {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): tables of rules are written with the names as they are
    consteval RowNames(const char *names) : m_names(names)
    {
        for (const auto name : m_names | std::views::split(' '))
            if (!std::ranges::binary_search(rowNames, std::string_view(name)))
                throw "no row of core/ops has this name";
    }

    std::vector<std::string_view> each() const
    {
        return m_names | std::views::split(' ')
            | std::views::transform([](auto name) { return std::string_view(name); }) | std::ranges::to<std::vector>();
    }

private:
    std::string_view m_names;
};

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
