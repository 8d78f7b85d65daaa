// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/opened.h"

#include "core/formats/format.h"
#include "core/ir/context.h"

namespace cutaway::cli {

namespace {

constexpr std::size_t namesShown = 8;

std::string functionNames(const ir::Model &model)
{
    std::string names;
    for (std::size_t i = 0; i < model.functions.size() && i < namesShown; ++i)
        names += (i ? ", " : "") + std::string(model.context->text(model.functions[i].name));
    return model.functions.size() > namesShown ? names + ", …" : names;
}

Result<ir::FunctionId> findFunction(const ir::Model &model, const std::string &name)
{
    if (model.functions.empty())
        return unreadable("the file has no graph");
    if (name.empty())
        return ir::FunctionId{0};
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        if (model.context->text(model.functions[i].name) == name)
            return ir::FunctionId{i};
    return usage("there is no function '" + name + "'; the file has " + functionNames(model));
}

} // namespace

Result<Opened> openModel(const std::string &file, const std::string &functionName)
{
    Result<ir::Model> model = formats::open(file);
    if (!model)
        return std::unexpected(model.error());
    const Result<ir::FunctionId> function = findFunction(*model, functionName);
    if (!function)
        return std::unexpected(function.error());
    return Opened{std::move(*model), *function};
}

} // namespace cutaway::cli
