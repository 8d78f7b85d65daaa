// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calls/methods.h"

#include "core/analysis/file_symbols.h"
#include "core/ir/context.h"
#include "core/ir/objects/methods.h"
#include "core/ops/program/control_flow.h"

namespace cutaway::analysis {

namespace {

/// Returns the only module whose class has this plain name; nothing if there are several.
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

} // namespace

ops::Fact declaredInput(const ir::Model &model, ir::FunctionId function, ir::TypeId type, const FileSymbols &symbols)
{
    const auto *object = std::get_if<ir::ClassType>(&model.context->at(type));
    if (!object || object->kind != ir::ClassType::Kind::Module || model.modules.empty())
        return symbols.of(ops::factOf(*model.context, type));
    if (function == ir::FunctionId{})
        return ir::ModuleId{};
    const auto module = onlyModuleOf(model, ir::plainClassName(model.context->text(object->name)));
    return module ? ops::Fact(*module) : ops::Fact(ops::ObjectFact{});
}

const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, const Values &values)
{
    for (const ir::Argument &argument : node->arguments)
        if (const auto *callee = argument.value.as<ir::FunctionId>())
            return &model.at(*callee);
    const auto *method = node->arguments.size() > 1 ? node->arguments[0].value.as<ir::String>() : nullptr;
    if (!method || ops::kindOf(node) != ops::kind::callMethod)
        return nullptr;
    const ops::Fact self = values.of(node->arguments[1].value);
    const auto *module = self.as<ir::ModuleId>();
    if (!module)
        return nullptr;
    return ir::methodOf(model, *module, model.context->text(method->text));
}

} // namespace cutaway::analysis
