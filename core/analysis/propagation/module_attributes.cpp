// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/module_attributes.h"

#include "core/ir/context.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;

/// The states of the objects that are attributes of one module. A reader lists what is in an object as tensors and
/// attributes of the module, under the object's path.
class ObjectStates {
public:
    ObjectStates(const ir::Model &model, Constants &constants, const ir::Module &module)
        : m_model(model),
          m_constants(constants)
    {
        for (const ir::ModuleAttribute &attribute : module.attributes)
            if (const auto *object = attribute.value.as<ir::ObjectId>())
                m_states.try_emplace(text(m_model.at(*object).name));
        if (m_states.empty())
            return;
        for (const ir::TensorId tensor : module.tensors)
            add(text(m_model.at(tensor).name), m_constants.tensor(tensor));
        for (const ir::ModuleAttribute &attribute : module.attributes)
            if (!attribute.value.as<ir::ObjectId>())
                add(text(attribute.name), m_constants.of(attribute.value));
    }

    /// What a module's attribute is.
    Fact of(const ir::Operand &value) const
    {
        const auto *id = value.as<ir::ObjectId>();
        if (!id)
            return m_constants.of(value);
        const ir::Object &object = m_model.at(*id);
        const ops::ObjectFact &own = m_states.at(text(object.name));
        // Packed weights may be made, on loading, of what their module holds.
        const bool isMade =
            own.state.empty() && m_states.size() == 1 && text(object.className).contains("PackedParams");
        return isMade ? m_around : own;
    }

private:
    std::string_view text(ir::NameId id) const { return m_model.context->text(id); }

    void add(std::string_view path, Fact fact)
    {
        for (std::size_t dot = path.rfind('.'); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1))
            if (const auto found = m_states.find(path.substr(0, dot)); found != m_states.end())
                return add(found->second, path.substr(dot + 1), std::move(fact));
        add(m_around, path.substr(path.rfind('.') + 1), std::move(fact));
    }

    static void add(ops::ObjectFact &object, std::string_view name, Fact fact)
    {
        object.state.emplace_back(ops::TextFact{std::string(name)});
        object.state.push_back(std::move(fact));
    }

    const ir::Model &m_model;
    Constants &m_constants;
    std::unordered_map<std::string_view, ops::ObjectFact> m_states; ///< by the object's path
    ops::ObjectFact m_around;                                       ///< what is in the module and in no object
};

} // namespace

Fact &ModuleAttributes::at(ir::ModuleId module, std::string_view path)
{
    while (true) {
        Attributes &held = attributesOf(module);
        const std::size_t dot = path.find('.');
        const auto found = held.find(path.substr(0, dot));
        const auto *child = found == held.end() ? nullptr : found->second.as<ops::ObjectFact>();
        if (dot == path.npos || !child || !child->module)
            return held[std::string(path)];
        module = *child->module;
        path.remove_prefix(dot + 1);
    }
}

/// What the file has in a module, read when it is first asked for. Tensors may change while the model is used: their
/// elements are left open.
ModuleAttributes::Attributes &ModuleAttributes::attributesOf(ir::ModuleId id)
{
    const auto [known, isNew] = m_modules.try_emplace(id);
    Attributes &held = known->second;
    if (!isNew)
        return held;
    const ir::Module &module = m_model.at(id);
    const ir::Context &context = *m_model.context;
    const ObjectStates objects(m_model, m_constants, module);
    const std::size_t skipped = module.path == ir::NameId{} ? 0 : context.text(module.path).size() + 1;
    for (const ir::TensorId tensor : module.tensors) {
        const ir::Tensor &stored = m_model.at(tensor);
        const std::string_view path = context.text(stored.name);
        held.emplace(path.substr(std::min(skipped, path.size())),
                     ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end())));
    }
    for (const ir::ModuleAttribute &attribute : module.attributes)
        held.emplace(context.text(attribute.name), objects.of(attribute.value));
    for (const ir::ModuleId child : module.children)
        held.insert_or_assign(std::string(context.text(m_model.at(child).name)), ops::ObjectFact{child, {}});
    return held;
}

} // namespace cutaway::analysis
