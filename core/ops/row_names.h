// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// The names of all rows with their dialects, sorted. `packaging/build test write_operator_names` writes the list anew
/// from the rows.
inline constexpr std::array rowNames = std::to_array<std::string_view>({
#include "core/ops/row_names.def"
});

/// Whether findRow() finds a row by this name, which may end in "_" or "_copy": "aten::relu_".
constexpr bool isRowName(std::string_view name)
{
    const auto isListed = [](std::string_view each) { return std::ranges::binary_search(rowNames, each); };
    const auto without = [&](std::string_view end) { return name.substr(0, name.size() - end.size()); };
    return isListed(name) || (name.ends_with("_copy") && isListed(without("_copy")))
        || (name.ends_with('_') && !name.ends_with("__") && isListed(without("_")));
}

/// Names of operators, divided by blanks: "aten::clamp aten::clamp_". A name that no row has does not compile.
class RowNames {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): tables of rules are written with the names as they are
    consteval RowNames(const char *names) : m_names(names)
    {
        for (const auto name : m_names | std::views::split(' '))
            if (!isRowName(std::string_view(name)))
                throw "no row of core/ops has this name; after adding one, build write_operator_names";
    }

    std::vector<std::string_view> each() const
    {
        return m_names | std::views::split(' ')
            | std::views::transform([](auto name) { return std::string_view(name); }) | std::ranges::to<std::vector>();
    }

    /// Whether an operator is among the names, by its name without overload.
    bool has(std::string_view dialect, std::string_view name) const
    {
        return std::ranges::any_of(m_names | std::views::split(' '), [&](auto each) {
            const std::string_view whole(each);
            return whole.size() == dialect.size() + 2 + name.size() && whole.starts_with(dialect)
                && whole.ends_with(name) && whole.substr(dialect.size(), 2) == "::";
        });
    }

private:
    std::string_view m_names;
};

} // namespace cutaway::ops
