// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"
#include "core/ir/context.h"

#include <algorithm>
#include <utility>

// Objects: which module of the model a value is, what their attributes hold, and which method a call of one means.

namespace cutaway::analysis {

namespace {

using ops::Fact;

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

std::string below(std::string_view path, std::string_view name)
{
    return std::string(path).append(path.empty() ? "" : ".").append(name);
}

/// The states of the objects that are attributes of one module. A reader lists what is in an object as tensors and
/// attributes of the module, under the object's path.
class ObjectStates {
public:
    ObjectStates(Inference &inference, const ir::Module &module) : m_inference(inference), m_model(inference.model)
    {
        for (const ir::ModuleAttribute &attribute : module.attributes)
            if (const auto *object = attribute.value.as<ir::ObjectId>())
                m_states.try_emplace(text(m_model.at(*object).name));
        if (m_states.empty())
            return;
        for (const ir::TensorId tensor : module.tensors)
            add(text(m_model.at(tensor).name), inference.tensor(tensor));
        for (const ir::ModuleAttribute &attribute : module.attributes)
            if (!attribute.value.as<ir::ObjectId>())
                add(text(attribute.name), inference.constant(attribute.value));
    }

    /// What a module's attribute is.
    Fact of(const ir::Operand &value) const
    {
        const auto *id = value.as<ir::ObjectId>();
        if (!id)
            return m_inference.constant(value);
        const ir::Object &object = m_model.at(*id);
        const ops::ObjectFact &own = m_states.at(text(object.name));
        // Packed weights may be made, on loading, of what their module holds.
        const bool isMade =
            own.state.empty() && m_states.size() == 1 && text(object.className).contains("PackedParams");
        return isMade ? m_around : own;
    }

private:
    std::string_view text(ir::NameId id) const { return m_inference.context.text(id); }

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

    Inference &m_inference;
    const ir::Model &m_model;
    std::unordered_map<std::string_view, ops::ObjectFact> m_states; ///< by the object's path
    ops::ObjectFact m_around;
};

} // namespace

Fact Inference::ofInput(ir::FunctionId function, ir::TypeId type) const
{
    const auto *object = std::get_if<ir::ClassType>(&context.at(type));
    if (!object || object->kind != ir::ClassType::Kind::Module || model.modules.empty())
        return bound(ops::factOf(context, type));
    if (function == ir::FunctionId{})
        return ops::ObjectFact{ir::ModuleId{}, {}};
    // Another method's is the one of its class, if there is only one.
    const std::string name = plainClass(context.text(object->name));
    ops::ObjectFact found;
    for (std::uint32_t i = 0; i < model.modules.size(); ++i) {
        if (context.text(model.modules[i].className) != name)
            continue;
        if (found.module)
            return ops::ObjectFact{};
        found.module = ir::ModuleId{i};
    }
    return found;
}

/// An attribute of an object, as it was set last or as the file has it.
bool Propagation::visitAttribute(const ir::NodeRef &node)
{
    const std::string_view name = node.opName();
    if (name == "Enter" || name == "Exit")
        visitContext(node, name == "Enter");
    const bool isSet = name == "SetAttr";
    if ((!isSet && name != "GetAttr") || node->arguments.size() < (isSet ? 3 : 2))
        return false;
    const auto *object = node->arguments[0].value.as<ir::ValueId>();
    const auto *text = node->arguments[1].value.as<ir::String>();
    if (!object || !text)
        return false;
    ++m_inference.accesses;
    Fact &held = attribute(*object, m_inference.context.text(text->text));
    if (isSet) {
        const Fact value = of(node->arguments[2].value);
        const bool isFirst = held.as<ops::AnyFact>() && !isModule(*object);
        write(held, value);
        if (isFirst && m_runs != Runs::Never)
            held = value;
        alias(node->arguments[2].value, Attribute{*object, std::string(m_inference.context.text(text->text))});
        return true;
    }
    if (held.as<ops::AnyFact>())
        return false;
    give(node, {held});
    alias(node->outputs.front(), Attribute{*object, std::string(m_inference.context.text(text->text))});
    return true;
}

bool Propagation::isModule(ir::ValueId value) const
{
    const auto *object = of(value).as<ops::ObjectFact>();
    return object && object->module;
}

/// By a path that may lead through modules: "layer1.0.weight".
Fact &Propagation::attribute(ir::ValueId object, std::string_view path)
{
    return isModule(object) ? m_inference.attribute(*of(object).as<ops::ObjectFact>()->module, path)
                            : m_attributes[{object, std::string(path)}];
}

Fact &Inference::attribute(ir::ModuleId module, std::string_view path)
{
    while (true) {
        auto &held = attributesOf(module);
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
Inference::Attributes &Inference::attributesOf(ir::ModuleId id)
{
    const auto [known, isNew] = m_attributes.try_emplace(id);
    Attributes &held = known->second;
    if (!isNew)
        return held;
    const ir::Module &module = model.at(id);
    const ObjectStates objects(*this, module);
    const std::size_t skipped = module.path == ir::NameId{} ? 0 : context.text(module.path).size() + 1;
    for (const ir::TensorId tensor : module.tensors) {
        const ir::Tensor &stored = model.at(tensor);
        const std::string_view path = context.text(stored.name);
        held.emplace(path.substr(std::min(skipped, path.size())),
                     ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end())));
    }
    for (const ir::ModuleAttribute &attribute : module.attributes)
        held.emplace(context.text(attribute.name), objects.of(attribute.value));
    for (const ir::ModuleId child : module.children)
        held.insert_or_assign(std::string(context.text(model.at(child).name)), ops::ObjectFact{child, {}});
    return held;
}

/// The function that a node names, or the method that its object has.
const ir::Function *Propagation::calledFunction(const ir::NodeRef &node) const
{
    const ir::Context &context = m_inference.context;
    for (const ir::Argument &argument : node->arguments)
        if (const auto *callee = argument.value.as<ir::FunctionId>())
            return &m_inference.model.at(*callee);
    const auto *method = node->arguments.size() > 1 && node.opName() == "CallMethod"
        ? node->arguments[0].value.as<ir::String>()
        : nullptr;
    const Fact self = method ? of(node->arguments[1].value) : Fact();
    const auto *object = self.as<ops::ObjectFact>();
    if (!object || !object->module)
        return nullptr;
    const std::string name =
        below(context.text(m_inference.model.at(*object->module).className), context.text(method->text));
    const ir::Function *found = nullptr;
    for (const ir::Function &function : m_inference.model.functions)
        if (function.kind == ir::Function::Kind::Method && plainClass(context.text(function.name)) == name) {
            if (found) // two classes of one name: they are told apart nowhere
                return nullptr;
            found = &function;
        }
    return found;
}

} // namespace cutaway::analysis
