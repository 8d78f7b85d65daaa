// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/frame.h"

#include "core/ir/methods.h"
#include "core/ops/compute/memory.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::evaluate {

namespace {

std::optional<ir::ModuleId> childOf(const ir::Model &model, ir::ModuleId module, std::string_view name)
{
    for (const ir::ModuleId child : model.at(module).children)
        if (model.context->text(model.at(child).name) == name)
            return child;
    return std::nullopt;
}

/// The tensor that a module holds under a name.
std::optional<ir::TensorId> tensorOf(const ir::Model &model, const ir::Module &module, std::string_view name)
{
    const std::size_t skipped = module.path == ir::NameId{} ? 0 : model.context->text(module.path).size() + 1;
    for (const ir::TensorId tensor : module.tensors) {
        const std::string_view path = model.context->text(model.at(tensor).name);
        if (path.substr(std::min(skipped, path.size())) == name)
            return tensor;
    }
    return std::nullopt;
}

} // namespace

Result<Value> attributeOf(Program &program, ir::ModuleId module, std::string_view path)
{
    const ir::Model &model = program.model;
    if (const auto set = program.attributes.find({module.index, std::string(path)}); set != program.attributes.end()) {
        compute::renew(set->second);
        return set->second;
    }
    const ir::Module &own = model.at(module);
    if (const auto tensor = tensorOf(model, own, path)) {
        const auto value = program.evaluator.weight(*tensor);
        return value ? Result<Value>(**value) : std::unexpected(value.error());
    }
    const auto none = [](ir::ValueId) -> const Value * { return nullptr; };
    for (const ir::ModuleAttribute &attribute : own.attributes)
        if (model.context->text(attribute.name) == path && !attribute.value.as<ir::ObjectId>())
            return program.evaluator.valueOf(attribute.value, none);
    if (const auto child = childOf(model, module, path))
        return Value(ops::Fact(ops::ObjectFact{child, {}}));
    const std::size_t dot = path.find('.');
    if (const auto child = dot < path.size() ? childOf(model, module, path.substr(0, dot)) : std::nullopt)
        return attributeOf(program, *child, path.substr(dot + 1));
    return unreadable("what a module's attribute '" + std::string(path) + "' holds is not known");
}

const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, Frame &frame)
{
    for (const ir::Argument &argument : node->arguments)
        if (const auto *callee = argument.value.as<ir::FunctionId>())
            return &model.at(*callee);
    const auto *method = node->arguments.size() > 1 && ops::kindOf(node) == ops::kind::callMethod
        ? node->arguments[0].value.as<ir::String>()
        : nullptr;
    const auto self = method ? frame.valueOf(node->arguments[1].value) : unreadable("no method");
    const auto *fact = self ? self->as<ops::Fact>() : nullptr;
    const auto *object = fact ? fact->as<ops::ObjectFact>() : nullptr;
    if (!object || !object->module)
        return nullptr;
    std::string name(model.context->text(model.at(*object->module).className));
    name.append(name.empty() ? "" : ".").append(model.context->text(method->text));
    return ir::onlyMethodOf(model, name);
}

} // namespace cutaway::evaluate
