// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/model.h"

#include "core/base/checked.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::ir {

Model::Model() : context(std::make_shared<Context>()), modules(1) { }

ModuleId Model::moduleAt(std::string_view dottedPath)
{
    if (const auto known = modulesByPath.find(context->name(dottedPath)); known != modulesByPath.end())
        return known->second;
    ModuleId at{0};
    for (std::size_t start = 0; start < dottedPath.size();) {
        const std::size_t end = std::min(dottedPath.find('.', start), dottedPath.size());
        const NameId prefix = context->name(dottedPath.substr(0, end));
        const ModuleId next{static_cast<std::uint32_t>(modules.size())};
        const auto [entry, isNew] = modulesByPath.try_emplace(prefix, next);
        if (isNew) {
            modules.push_back({at, context->name(dottedPath.substr(start, end - start)), prefix, {}, {}, {}, {}});
            modules[at.index].children.push_back(next);
        }
        at = entry->second;
        start = end + 1;
    }
    return at;
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
