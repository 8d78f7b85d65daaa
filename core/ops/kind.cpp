// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/kind.h"

#include "core/ops/operator.h"

#include <cctype>
#include <string>
#include <unordered_map>

namespace cutaway::ops {

namespace {

std::string squeezed(std::string_view name)
{
    std::string result;
    for (const char c : name)
        if (c != '_')
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string_view withoutCopy(std::string_view name)
{
    if (name.ends_with("_copy") && name != "index_copy") // which copies into a tensor
        name.remove_suffix(5);
    return name;
}

/// Of the names in rows that say no kind, by what they are themselves: "is_nan" to "isnan".
const std::string &kindOfName(std::string_view plain)
{
    static const auto kinds = [] {
        std::unordered_map<std::string_view, std::string> made;
        for (const OperatorFamily &family : operatorFamilies())
            for (const Operator &row : family.rows)
                for (const OperatorName &each : namesOf(row))
                    made.emplace(each.plain, squeezed(withoutCopy(each.plain)));
        return made;
    }();
    return kinds.at(plain);
}

} // namespace

OperatorKind kindOf(std::string_view dialect, std::string_view name)
{
    const auto found = findRow(dialect, name);
    if (!found)
        return {};
    return found->row->traits.kind == OperatorKind() ? OperatorKind(kindOfName(found->plain)) : found->row->traits.kind;
}

} // namespace cutaway::ops
