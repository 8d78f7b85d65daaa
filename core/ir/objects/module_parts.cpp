// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/objects/module_parts.h"

#include "core/ir/context.h"

#include <algorithm>
#include <string>

namespace cutaway::ir {

std::optional<ModuleId> childOf(const Model &model, ModuleId module, std::string_view name)
{
    for (const ModuleId child : model.at(module).children)
        if (model.context->text(model.at(child).name) == name)
            return child;
    return std::nullopt;
}

std::optional<ModuleId> childAt(const Model &model, ModuleId module, std::int64_t position)
{
    return childOf(model, module, std::to_string(position));
}

std::optional<TensorId> tensorOf(const Model &model, ModuleId id, std::string_view name)
{
    const Module &module = model.at(id);
    const std::size_t skipped = module.path == NameId{} ? 0 : model.context->text(module.path).size() + 1;
    for (const TensorId tensor : module.tensors) {
        const std::string_view path = model.context->text(model.at(tensor).name);
        if (path.substr(std::min(skipped, path.size())) == name)
            return tensor;
    }
    return std::nullopt;
}

const ModuleAttribute *attributeOf(const Model &model, ModuleId module, std::string_view name)
{
    for (const ModuleAttribute &attribute : model.at(module).attributes)
        if (model.context->text(attribute.name) == name)
            return &attribute;
    return nullptr;
}

} // namespace cutaway::ir
