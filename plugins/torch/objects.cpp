// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/objects.h"

#include "core/ir/context.h"
#include "plugins/torch/constants.h"
#include "plugins/torch/run.h"
#include "plugins/torch/weights.h"

#include <algorithm>

namespace cutaway::plugins {

namespace {

/// Returns the last part of a path: "weight" for "conv1.weight".
std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::optional<ir::ModuleId> childOf(const ir::Model &model, ir::ModuleId module, std::string_view name)
{
    for (const ir::ModuleId child : model.at(module).children)
        if (model.context->text(model.at(child).name) == name)
            return child;
    return std::nullopt;
}

std::optional<c10::IValue> held(Run &run, ir::ModuleId id, std::string_view name)
{
    const Program &program = run.program();
    const ir::Model &model = program.model();
    if (const auto child = childOf(model, id, name))
        return run.moduleObject(*child);
    for (const ir::TensorId tensor : model.at(id).tensors)
        if (lastPart(model.context->text(model.at(tensor).name)) == name) {
            auto made = program.weights().tensor(tensor);
            TORCH_CHECK(made.has_value(), made.error().text());
            return *made;
        }
    for (const ir::ModuleAttribute &attribute : model.at(id).attributes)
        if (model.context->text(attribute.name) == name)
            return constantOf(program, attribute.value, torchType(*model.context, attribute.type));
    return std::nullopt;
}

} // namespace

bool isReadable(const ir::Model &model, ir::ObjectId id)
{
    const auto isIt = [&](const ir::ModuleAttribute &attribute) {
        const auto *held = attribute.value.as<ir::ObjectId>();
        const auto *type = std::get_if<ir::ClassType>(&model.context->at(attribute.type));
        return held && *held == id && type && type->kind == ir::ClassType::Kind::Object;
    };
    return std::ranges::any_of(model.modules,
                               [&](const ir::Module &module) { return std::ranges::any_of(module.attributes, isIt); });
}

std::map<std::string, c10::IValue> storedFields(const Program &program, ir::ObjectId id)
{
    const ir::Model &model = program.model();
    const std::string path = std::string(model.context->text(model.at(id).name)) + ".";
    const auto own = [&](ir::NameId name) {
        const std::string_view whole = model.context->text(name);
        const bool isIn = whole.starts_with(path) && whole.find('.', path.size()) == std::string_view::npos;
        return std::string(isIn ? whole.substr(path.size()) : std::string_view());
    };
    std::map<std::string, c10::IValue> fields;
    for (const ir::Module &module : model.modules) {
        for (const ir::TensorId tensor : module.tensors)
            if (const std::string name = own(model.at(tensor).name); !name.empty()) {
                auto made = program.weights().tensor(tensor);
                TORCH_CHECK(made.has_value(), made.error().text());
                fields[name] = *made;
            }
        for (const ir::ModuleAttribute &attribute : module.attributes)
            if (const std::string name = own(attribute.name); !name.empty())
                fields[name] = constantOf(program, attribute.value, torchType(*model.context, attribute.type));
    }
    return fields;
}

ScriptObject &objectOf(Run &run, const c10::IValue &value)
{
    TORCH_CHECK(value.isCapsule(), "a ", value.tagKind(), " where an object was expected");
    if (const auto *stored = dynamic_cast<const StoredObject *>(value.toCapsule().get()))
        return run.storedObject(stored->id);
    auto *const object = dynamic_cast<ScriptObject *>(value.toCapsule().get());
    TORCH_CHECK(object, "an object of torch where one of the model was expected");
    return *object;
}

c10::IValue attributeOf(Run &run, const c10::IValue &value, const std::string &name)
{
    const ScriptObject &object = objectOf(run, value);
    if (const auto field = object.fields.find(name); field != object.fields.end())
        return field->second;
    TORCH_CHECK(object.module, "the object has no '", name, "'");
    if (auto own = held(run, *object.module, name))
        return *own;
    const std::size_t dot = name.find('.');
    TORCH_CHECK(dot != std::string::npos, "the module has no '", name, "' that can be read");
    return attributeOf(run, attributeOf(run, value, name.substr(0, dot)), name.substr(dot + 1));
}

} // namespace cutaway::plugins
