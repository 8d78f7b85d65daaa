// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/objects/methods.h"

#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::ir {

std::string plainClassName(std::string_view name)
{
    std::string plain;
    while (!name.empty()) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        const std::string_view part = name.substr(0, dot);
        if (part != "__torch__" && !part.starts_with("___torch_mangle_"))
            plain.append(plain.empty() ? "" : ".").append(part);
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    return plain;
}

const Function *onlyMethodOf(const Model &model, std::string_view plainName)
{
    const Function *found = nullptr;
    for (const Function &function : model.functions)
        if (function.kind == Function::Kind::Method
            && plainClassName(model.context->text(function.name)) == plainName) {
            if (found)
                return nullptr;
            found = &function;
        }
    return found;
}

const Function *methodOf(const Model &model, ModuleId module, std::string_view method)
{
    std::string name(model.context->text(model.at(module).className));
    name.append(name.empty() ? "" : ".").append(method);
    return onlyMethodOf(model, name);
}

} // namespace cutaway::ir
