// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/model.h"

#include "core/base/checked.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::ir {

namespace {

ModuleId enter(Model &model, ModuleId parent, NameId name, NameId path)
{
    if (model.modulesByPath.empty())
        for (std::uint32_t i = 1; i < model.modules.size(); ++i)
            model.modulesByPath.try_emplace(model.modules[i].path, ModuleId{i});
    const ModuleId next{static_cast<std::uint32_t>(model.modules.size())};
    const auto [entry, isNew] = model.modulesByPath.try_emplace(path, next);
    if (isNew) {
        model.modules.push_back({parent, name, path, {}, {}, {}, {}});
        model.modules.edit(parent.index).children.push_back(next);
    }
    return entry->second;
}

} // namespace

Model::Model() : context(std::make_shared<Context>())
{
    modules.push_back({}); // the root
}

std::int64_t Model::opset(std::string_view dialect) const
{
    const std::string_view domain = dialect == "onnx" ? "ai.onnx" : dialect;
    const auto found = std::ranges::find(opsets, domain, &std::pair<std::string, std::int64_t>::first);
    return found == opsets.end() ? 1 : found->second;
}

ModuleId Model::moduleAt(std::string_view dottedPath)
{
    if (const auto known = modulesByPath.find(context->name(dottedPath)); known != modulesByPath.end())
        return known->second;
    ModuleId at{0};
    for (std::size_t start = 0; start < dottedPath.size();) {
        const std::size_t end = std::min(dottedPath.find('.', start), dottedPath.size());
        at = enter(*this, at, context->name(dottedPath.substr(start, end - start)),
                   context->name(dottedPath.substr(0, end)));
        start = end + 1;
    }
    return at;
}

ModuleId Model::childModule(ModuleId parent, std::string_view name)
{
    std::string path(context->text(at(parent).path));
    path += path.empty() ? "" : ".";
    path += name;
    return enter(*this, parent, context->name(name), context->name(path));
}

void Model::diagnose(Severity severity, std::string code, std::string message)
{
    diagnostics.push_back({severity, std::move(code), std::move(message), {}, {}});
}

std::optional<std::int64_t> elementCount(const Tensor &tensor)
{
    if (std::ranges::contains(tensor.shape, 0))
        return 0;
    std::optional<std::int64_t> count = 1;
    for (const std::int64_t size : tensor.shape) {
        count = size >= 0 ? checkedMultiply(*count, size) : std::nullopt;
        if (!count)
            break;
    }
    return count;
}

std::optional<std::int64_t> byteSize(const Tensor &tensor)
{
    const auto elements = elementCount(tensor);
    return elements ? byteSize(tensor.dtype, *elements) : std::nullopt;
}

} // namespace cutaway::ir
