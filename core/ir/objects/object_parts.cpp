// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/objects/object_parts.h"

#include "core/ir/context.h"
#include "core/ir/operands.h"

#include <algorithm>
#include <unordered_set>

namespace cutaway::ir {

ObjectParts::ObjectParts(const Model &model) : m_model(model)
{
    for (const Object &object : model.objects)
        m_parts.try_emplace(model.context->text(object.name));
    for (std::size_t i = 0; !m_parts.empty() && i < model.modules.size(); ++i)
        addModule(model.modules[i]);
}

void ObjectParts::addModule(const Module &module)
{
    const auto text = [&](NameId id) { return m_model.context->text(id); };
    std::vector<Part> around; // the parts that are in the module itself and in none of its objects
    std::vector<ObjectId> objects;
    const auto add = [&](std::string_view path, const Operand &value) {
        for (std::size_t dot = path.rfind('.'); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1))
            if (const auto found = m_parts.find(path.substr(0, dot)); found != m_parts.end()) {
                found->second.push_back({path.substr(dot + 1), value});
                return;
            }
        around.push_back({path.substr(path.rfind('.') + 1), value});
    };
    for (const TensorId tensor : module.tensors)
        add(text(m_model.at(tensor).name), tensor);
    for (const ModuleAttribute &attribute : module.attributes) {
        if (const auto *object = attribute.value.as<ObjectId>())
            objects.push_back(*object);
        add(text(attribute.name), attribute.value);
    }
    std::erase_if(around, [](const Part &part) { return part.value.as<ObjectId>() != nullptr; });
    if (objects.size() != 1)
        return;
    const Object &object = m_model.at(objects.front());
    std::vector<Part> &parts = m_parts.at(text(object.name));
    if (parts.empty() && text(object.className).contains("PackedParams"))
        parts = std::move(around);
}

const std::vector<ObjectParts::Part> &ObjectParts::of(ObjectId object) const
{
    return of(m_model.context->text(m_model.at(object).name));
}

const std::vector<ObjectParts::Part> &ObjectParts::of(std::string_view path) const
{
    static const std::vector<Part> none;
    const auto found = m_parts.find(path);
    return found == m_parts.end() ? none : found->second;
}

std::vector<TensorId> ObjectParts::tensorsOf(std::string_view path) const
{
    std::vector<TensorId> found;
    std::unordered_set<TensorId> known;
    std::vector<std::string_view> paths{path};
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (const Part &part : of(paths[i]))
            forEachOperand(part.value, [&](const Operand &value) {
                const auto *tensor = value.as<TensorId>();
                const auto *object = value.as<ObjectId>();
                if (tensor && known.insert(*tensor).second)
                    found.push_back(*tensor);
                const std::string_view inner = object ? m_model.context->text(m_model.at(*object).name) : "";
                if (object && !std::ranges::contains(paths, inner))
                    paths.push_back(inner);
            });
    return found;
}

} // namespace cutaway::ir
