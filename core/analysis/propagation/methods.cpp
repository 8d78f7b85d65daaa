// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/methods.h"

#include "core/analysis/file_symbols.h"
#include "core/ir/context.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

/// "__torch__.net.___torch_mangle_3.Block" without what the compiler put in: "net.Block".
std::string plainClass(std::string_view name)
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

/// The only module of a class, by its plain name.
std::optional<ir::ModuleId> onlyModuleOf(const ir::Model &model, const std::string &className)
{
    std::optional<ir::ModuleId> found;
    for (std::uint32_t i = 0; i < model.modules.size(); ++i) {
        if (model.context->text(model.modules[i].className) != className)
            continue;
        if (found)
            return std::nullopt;
        found = ir::ModuleId{i};
    }
    return found;
}

/// The only method of a name: "net.Block.forward".
const ir::Function *onlyMethodOf(const ir::Model &model, const std::string &name)
{
    const ir::Function *found = nullptr;
    for (const ir::Function &function : model.functions)
        if (function.kind == ir::Function::Kind::Method && plainClass(model.context->text(function.name)) == name) {
            if (found)
                return nullptr;
            found = &function;
        }
    return found;
}

} // namespace

ops::Fact declaredInput(const ir::Model &model, ir::FunctionId function, ir::TypeId type, const FileSymbols &symbols)
{
    const auto *object = std::get_if<ir::ClassType>(&model.context->at(type));
    if (!object || object->kind != ir::ClassType::Kind::Module || model.modules.empty())
        return symbols.of(ops::factOf(*model.context, type));
    if (function == ir::FunctionId{})
        return ops::ObjectFact{ir::ModuleId{}, {}};
    return ops::ObjectFact{onlyModuleOf(model, plainClass(model.context->text(object->name))), {}};
}

const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, const Values &values)
{
    for (const ir::Argument &argument : node->arguments)
        if (const auto *callee = argument.value.as<ir::FunctionId>())
            return &model.at(*callee);
    const auto *method = node->arguments.size() > 1 && ops::kindOf(node) == ops::kind::callMethod
        ? node->arguments[0].value.as<ir::String>()
        : nullptr;
    if (!method)
        return nullptr;
    const ops::Fact self = values.of(node->arguments[1].value);
    const auto *object = self.as<ops::ObjectFact>();
    if (!object || !object->module)
        return nullptr;
    std::string name(model.context->text(model.at(*object->module).className));
    name.append(name.empty() ? "" : ".").append(model.context->text(method->text));
    return onlyMethodOf(model, name);
}

} // namespace cutaway::analysis
