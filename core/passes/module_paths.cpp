// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/module_paths.h"

#include "core/base/limits.h"
#include "core/ir/context.h"
#include "core/ir/objects/methods.h"
#include "core/ir/objects/module_parts.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/program/control_flow.h"

namespace cutaway::passes {

using ir::ModuleId;
using ir::NodeRef;
using ir::Operand;

namespace {

/// Returns the path that a node names; nullptr if its argument is no text.
const ir::String *pathNamed(const NodeRef &node)
{
    return node->arguments.size() > 1 ? node->arguments[1].value.as<ir::String>() : nullptr;
}

} // namespace

ModulePaths::ModulePaths(analysis::Reading &reading) : m_reading(reading) { collectSet(); }

/// Collects the attributes that code sets, by the classes of the objects: code of a class sets an attribute of all its
/// objects. A path of several modules begins at the model's root.
void ModulePaths::collectSet()
{
    const ir::Model &model = m_reading.model();
    const ir::Context &context = m_reading.context();
    for (const ir::Function &function : model.functions)
        for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index) {
            const NodeRef node(function.graph, id);
            const auto *text =
                node->removed || ops::kindOf(node) != ops::kind::setAttribute ? nullptr : pathNamed(node);
            if (!text)
                continue;
            std::string_view path = context.text(text->text);
            const auto object = ir::valueOf(function.graph, &node->arguments[0].value);
            const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
            std::string owner = type ? ir::plainClassName(context.text(type->name)) : std::string();
            std::optional<ModuleId> module = ModuleId{};
            for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
                module =
                    module && !model.modules.empty() ? ir::childOf(model, *module, path.substr(0, dot)) : std::nullopt;
                owner = module ? std::string(context.text(model.at(*module).className)) : std::string();
                path.remove_prefix(dot + 1);
            }
            m_set.emplace(std::move(owner), path);
        }
}

bool ModulePaths::isSet(const Attribute &attribute) const
{
    const std::string_view owner = m_reading.context().text(m_reading.model().at(attribute.owner.module).className);
    return m_set.contains({std::string(), std::string(attribute.name)})
        || m_set.contains({std::string(owner), std::string(attribute.name)});
}

std::optional<ModulePaths::Place> ModulePaths::of(const Operand &operand)
{
    const auto value = ir::valueOf(m_reading.graph(), &operand);
    if (!value)
        return std::nullopt;
    if (const auto known = m_known.find(value->id()); known != m_known.end())
        return known->second;
    if (m_depth > limits::maxNesting)
        return std::nullopt;
    ++m_depth;
    auto found = find(*value, operand);
    --m_depth;
    return m_known[value->id()] = std::move(found);
}

std::optional<ModulePaths::Place> ModulePaths::find(const ir::ValueRef &value, const Operand &operand)
{
    const auto node = value.producer();
    if (!node) {
        const ops::Fact fact = m_reading.fact(operand);
        const auto *module = fact.as<ModuleId>();
        return module ? std::optional(Place{value.id(), "", *module}) : std::nullopt;
    }
    const ops::OperatorKind kind = m_reading.kind(*node);
    if (kind == ops::kind::itemOfModules)
        return itemOf(*node);
    const auto attribute = kind == ops::kind::getAttribute ? attributeOf(*node) : std::nullopt;
    return attribute && !isSet(*attribute) ? childAt(*attribute) : std::nullopt;
}

std::optional<ModulePaths::Place> ModulePaths::childAt(const Attribute &attribute) const
{
    const auto child = ir::childOf(m_reading.model(), attribute.owner.module, attribute.name);
    return child ? std::optional(Place{attribute.owner.root, attribute.path(), *child}) : std::nullopt;
}

std::optional<ModulePaths::Place> ModulePaths::itemOf(const NodeRef &node)
{
    const auto modules = node->arguments.size() == 2 ? of(node->arguments[0].value) : std::nullopt;
    if (!modules)
        return std::nullopt;
    const ir::Model &model = m_reading.model();
    const Operand &index = node->arguments[1].value;
    std::optional<ModuleId> item;
    if (const auto *name = index.as<ir::String>()) {
        item = ir::childOf(model, modules->module, m_reading.context().text(name->text));
    } else {
        const auto size = ops::asInt(m_reading.proven(index));
        if (const auto position = size ? ops::number(*size) : std::nullopt)
            item = ir::childAt(model, modules->module, *position);
    }
    if (!item)
        return std::nullopt;
    return childAt({*modules, m_reading.context().text(model.at(*item).name)});
}

std::optional<ModulePaths::Attribute> ModulePaths::attributeOf(const NodeRef &node)
{
    const auto *text = pathNamed(node);
    auto owner = text ? of(node->arguments[0].value) : std::nullopt;
    if (!owner)
        return std::nullopt;
    std::string_view path = m_reading.context().text(text->text);
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
        const Attribute outer{*owner, path.substr(0, dot)};
        owner = isSet(outer) ? std::nullopt : childAt(outer);
        if (!owner)
            return std::nullopt;
        path.remove_prefix(dot + 1);
    }
    return Attribute{std::move(*owner), path};
}

} // namespace cutaway::passes
