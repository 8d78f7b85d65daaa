// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/kind.h"

#include "core/ops/operator.h"

#include <array>
#include <cctype>
#include <ranges>
#include <string>
#include <unordered_map>

namespace cutaway::ops {

namespace {

/// Names of aten operators that mean one and the same with the same arguments, the plain one first.
constexpr auto aliases = std::to_array<std::string_view>({
    "abs absolute",
    "neg negative",
    "sub subtract",
    "mul multiply",
    "div divide true_divide",
    "clamp clip",
    "ne not_equal",
    "gt greater",
    "ge greater_equal",
    "lt less",
    "le less_equal",
    "acos arccos",
    "acosh arccosh",
    "asin arcsin",
    "asinh arcsinh",
    "atan arctan",
    "atan2 arctan2",
    "atanh arctanh",
    "trunc fix",
    "cat concat concatenate",
    "matmul linalg_matmul",
    "det linalg_det",
    "outer ger",
    "movedim moveaxis",
    "transpose swapaxes swapdims",
    "erf special_erf",
    "erfc special_erfc",
    "erfinv special_erfinv",
    "exp2 special_exp2",
    "expm1 special_expm1",
    "sigmoid special_expit",
    "lgamma special_gammaln",
    "digamma special_psi",
    "i0 special_i0",
    "log1p special_log1p",
    "logit special_logit",
    "logsumexp special_logsumexp",
    "polygamma special_polygamma",
    "round special_round",
    "sinc special_sinc",
    "xlogy special_xlogy",
    "rad2deg degrees",
    "vstack row_stack",
});

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
    if (name.ends_with("_copy") && name != "aten::index_copy") // which copies into a tensor
        name.remove_suffix(5);
    return name;
}

/// Of the names in rows that say no kind, by what they are themselves: "aten::is_nan" to "isnan".
const std::string &kindOfName(std::string_view name)
{
    static const auto kinds = [] {
        std::unordered_map<std::string_view, std::string> made;
        for (const OperatorFamily &family : operatorFamilies())
            for (const Operator &row : family.rows)
                for (const std::string_view each : namesOf(row))
                    made.emplace(each, squeezed(withoutCopy(each).substr(each.rfind(':') + 1)));
        return made;
    }();
    return kinds.at(name);
}

const std::unordered_map<std::string_view, std::string_view> &plainNames()
{
    static const auto names = [] {
        std::unordered_map<std::string_view, std::string_view> made;
        for (const std::string_view line : aliases)
            for (const auto word : std::views::split(line, ' '))
                made.emplace(std::string_view(word), line.substr(0, line.find(' ')));
        return made;
    }();
    return names;
}

} // namespace

OperatorKind kindOf(std::string_view dialect, std::string_view name)
{
    const auto found = findRow(dialect, name);
    if (!found)
        return {};
    return found->row->traits.kind == OperatorKind() ? OperatorKind(kindOfName(found->name)) : found->row->traits.kind;
}

std::string_view plainNameOf(std::string_view dialect, std::string_view name)
{
    if (dialect != "aten")
        return name;
    const auto found = plainNames().find(name);
    return found == plainNames().end() ? name : found->second;
}

} // namespace cutaway::ops
