// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/named_function.h"

#include "core/ir/context.h"

#include <algorithm>
#include <cctype>

namespace cutaway::request {

namespace {

constexpr std::size_t functionsShown = 8;

std::string inLowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// Lists the file's functions, those whose name contains `wanted` first.
std::string functionNames(const ir::Model &model, const std::string &wanted)
{
    std::vector<std::string_view> functions;
    for (const ir::Function &function : model.functions)
        functions.push_back(model.context->text(function.name));
    std::ranges::stable_partition(
        functions, [part = inLowerCase(wanted)](std::string_view name) { return inLowerCase(name).contains(part); });
    std::string names;
    for (std::size_t i = 0; i < functions.size() && i < functionsShown; ++i)
        names += (i ? ", " : "") + std::string(functions[i]);
    return functions.size() > functionsShown ? names + ", …" : names;
}

} // namespace

Result<ir::FunctionId> findFunction(const ir::Model &model, const std::string &name)
{
    if (model.functions.empty())
        return unreadable("the file has no graph");
    if (name.empty())
        return ir::FunctionId{0};
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        if (model.context->text(model.functions[i].name) == name)
            return ir::FunctionId{i};
    return usageError("unknown function '" + name + "'; the file has " + functionNames(model, name));
}

} // namespace cutaway::request
