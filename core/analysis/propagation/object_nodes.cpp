// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/object_nodes.h"

#include "core/analysis/propagation/autocasts.h"
#include "core/ir/context.h"
#include "core/ir/objects/module_parts.h"

namespace cutaway::analysis {

using ops::Fact;

ObjectNodes::ObjectNodes(Inference &inference, Shared<Aliases> &aliases)
    : m_inference(inference),
      m_aliases(aliases),
      m_attributes(inference.accesses, inference.moduleAttributes)
{
}

std::optional<AttributePath> ObjectNodes::pathOf(const ir::NodeRef &node) const
{
    if (node->arguments.size() < 2)
        return std::nullopt;
    const auto *object = node->arguments[0].value.as<ir::ValueId>();
    const auto *text = node->arguments[1].value.as<ir::String>();
    if (!object || !text)
        return std::nullopt;
    return AttributePath{*object, std::string(m_inference.model.context->text(text->text))};
}

std::optional<ObjectNodes::Read> ObjectNodes::get(const ir::NodeRef &node, const Values &values)
{
    const auto known = [](Fact fact, std::optional<AttributePath> holder) {
        return fact.as<ops::AnyFact>() ? std::nullopt : std::optional(Read{std::move(fact), std::move(holder)});
    };
    if (node->arguments.size() < 2)
        return std::nullopt;
    const auto *constant = node->arguments[0].value.as<ir::ObjectId>();
    const auto *text = node->arguments[1].value.as<ir::String>();
    if (constant && text)
        return known(m_inference.constants.attribute(*constant, text->text), std::nullopt);
    const auto path = pathOf(node);
    return path ? known(attribute(*path, values), path) : std::nullopt;
}

bool ObjectNodes::set(const ir::NodeRef &node, const Walk &walk)
{
    const auto path = pathOf(node);
    if (!path || node->arguments.size() < 3)
        return false;
    const ir::Operand &operand = node->arguments[2].value;
    const Fact value = walk.of(operand);
    Fact &held = attribute(*path, walk);
    const bool isFirst = held.as<ops::AnyFact>() && !isModule(walk.of(path->object));
    m_inference.writes->write(held, value, walk.reached());
    if (isFirst && walk.reached() != Reached::Never) // the attribute had no other value before
        held = value;
    m_aliases->add(operand, *path, walk);
    return true;
}

std::optional<ObjectNodes::Read> ObjectNodes::itemOfModules(const ir::NodeRef &node, const Values &values) const
{
    if (node->arguments.size() != 2)
        return std::nullopt;
    const Fact modules = values.of(node->arguments[0].value), index = values.of(node->arguments[1].value);
    const auto *module = modules.as<ir::ModuleId>();
    if (!module)
        return std::nullopt;
    const auto *name = index.as<ops::TextFact>();
    const auto size = ops::asInt(index);
    const auto position = size ? ops::number(*size) : std::nullopt;
    const auto child = name ? ir::childOf(m_inference.model, *module, name->text)
        : position          ? ir::childAt(m_inference.model, *module, *position)
                            : std::nullopt;
    return child ? std::optional(Read{*child, std::nullopt}) : std::nullopt;
}

void ObjectNodes::visitContext(const ir::NodeRef &node, bool enters, Autocasts &contexts, const Values &values)
{
    const auto object =
        node->arguments.empty() ? std::nullopt : ir::valueOf(node.graph(), &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    if (!type || !m_inference.model.context->text(type->name).ends_with(".autocast_mode.autocast"))
        return;
    if (!enters)
        return contexts.leave();
    contexts.enter({attribute({*object, "device"}, values), attribute({*object, "fast_dtype"}, values),
                    attribute({*object, "_enabled"}, values)});
}

} // namespace cutaway::analysis
