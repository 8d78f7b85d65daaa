// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"

#include "core/base/near_names.h"

#include <algorithm>
#include <array>

namespace cutaway::passes {

#define PASS(pass) extern const Pass pass;
#include "core/passes/all.def"
#undef PASS

Settings::Settings(std::span<const Option> options)
{
    for (const Option &option : options)
        m_values.emplace(option.name, option.defaultValue);
}

std::string needsText(const Pass &pass)
{
    std::string text;
    for (const auto &[names, where] : {std::pair(&pass.needs, " before"), std::pair(&pass.tidiedBy, " after")})
        for (const std::string_view name : *names)
            text.append(text.empty() ? "needs " : " and ").append(name).append(where);
    return text;
}

std::span<const Pass *const> passes()
{
    static const std::array list{
#define PASS(pass) &(pass),
#include "core/passes/all.def"
#undef PASS
    };
    return list;
}

Result<const Pass *> findPass(std::string_view name, std::span<const Pass *const> others)
{
    std::vector<std::string_view> names;
    for (const auto list : {passes(), others})
        for (const Pass *pass : list) {
            if (pass->name == name)
                return pass;
            names.push_back(pass->name);
        }
    return std::unexpected(
        Error{ErrorKind::Usage, "unknown pass '" + std::string(name) + "'; known: " + nearNames(name, names), {}});
}

} // namespace cutaway::passes
