// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/frame.h"

#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/objects/methods.h"
#include "core/ir/objects/module_parts.h"
#include "core/ops/compute/memory.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::evaluate {

namespace {

std::optional<ir::ModuleId> moduleOf(const Value &value)
{
    const auto *fact = value.as<ops::Fact>();
    const auto *module = fact ? fact->as<ir::ModuleId>() : nullptr;
    return module ? std::optional(*module) : std::nullopt;
}

} // namespace

Result<Value> attributeOf(Program &program, ir::ModuleId module, std::string_view path)
{
    const ir::Model &model = program.model;
    if (const auto set = program.attributes.find({module.index, std::string(path)}); set != program.attributes.end()) {
        compute::renew(set->second);
        return set->second;
    }
    if (const auto tensor = ir::tensorOf(model, module, path)) {
        CUTAWAY_TRY(const auto value, program.evaluator.weight(*tensor));
        return *value;
    }
    const auto none = [](ir::ValueId) -> const Value * { return nullptr; };
    if (const auto *attribute = ir::attributeOf(model, module, path); attribute && !attribute->value.as<ir::ObjectId>())
        return program.evaluator.valueOf(attribute->value, none);
    if (const auto child = ir::childOf(model, module, path))
        return Value(ops::Fact(*child));
    const std::size_t dot = path.find('.');
    if (const auto child = dot < path.size() ? ir::childOf(model, module, path.substr(0, dot)) : std::nullopt)
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
    const auto module = self ? moduleOf(*self) : std::nullopt;
    return module ? ir::methodOf(model, *module, model.context->text(method->text)) : nullptr;
}

Result<Value> itemOfModules(const ir::Model &model, const Value &modules, const Value &index)
{
    const auto module = moduleOf(modules);
    const ops::Fact fact = compute::factOf(index);
    const auto *name = fact.as<ops::TextFact>();
    const auto size = ops::asInt(fact);
    const auto position = size ? ops::number(*size) : std::nullopt;
    const auto child = !module ? std::nullopt
        : name                 ? ir::childOf(model, *module, name->text)
        : position             ? ir::childAt(model, *module, *position)
                               : std::nullopt;
    if (!child)
        return unreadable("no value for prim::ModuleContainerIndex: there is no such module");
    return Value(ops::Fact(*child));
}

} // namespace cutaway::evaluate
