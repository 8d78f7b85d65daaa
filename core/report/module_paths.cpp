// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/module_paths.h"

#include "core/ir/context.h"
#include "core/report/control_flow.h"

#include <algorithm>

namespace cutaway::report {

namespace {
constexpr std::size_t longestPath = 1000; ///< keeps a chain of a million attributes linear
} // namespace

ModulePaths::ModulePaths(const ir::Function &function) : m_graph(function.graph), m_isStep(m_graph.valueCount())
{
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (value && m_graph.context().text(m_graph.at(*value).name) == "self")
            m_paths.emplace(*value, "");
    }
    for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
        const ir::Node &node = m_graph.at(ir::NodeId{i});
        const ir::String *name = node.removed ? nullptr : fetchedAttribute(node);
        const auto object = name ? selfOf(node) : std::nullopt;
        const auto above = object ? m_paths.find(*object) : m_paths.end();
        if (above == m_paths.end() || node.outputs.size() != 1 || above->second.size() > longestPath)
            continue;
        const std::string path =
            (above->second.empty() ? "" : above->second + ".") + std::string(m_graph.context().text(name->text));
        m_isStep[node.outputs.front().index] = path.size() <= longestPath && onlyLeadsOn(node.outputs.front());
        m_paths.emplace(node.outputs.front(), path);
    }
}

bool ModulePaths::isOp(const ir::Node &node, std::string_view name) const
{
    const ir::Operator &op = m_graph.context().at(node.op);
    return m_graph.context().text(op.name) == name && m_graph.context().text(op.dialect) == "prim";
}

const ir::String *ModulePaths::fetchedAttribute(const ir::Node &node) const
{
    const ir::Operand *name = isOp(node, "GetAttr") ? argumentOf(m_graph, node, "name", 1) : nullptr;
    return name ? name->as<ir::String>() : nullptr;
}

const ir::String *ModulePaths::calledMethod(const ir::Node &node) const
{
    const ir::Operand *name = isOp(node, "CallMethod") ? argumentOf(m_graph, node, "method", 1) : nullptr;
    return name ? name->as<ir::String>() : nullptr;
}

std::optional<ir::ValueId> ModulePaths::selfOf(const ir::Node &node) const
{
    const ir::Operand *self = argumentOf(m_graph, node, "self", 0);
    const auto *value = self ? self->as<ir::ValueId>() : nullptr;
    return value ? std::optional(*value) : std::nullopt;
}

bool ModulePaths::onlyLeadsOn(ir::ValueId value) const
{
    std::vector<ir::NodeId> users;
    for (const ir::Use &use : m_graph.at(value).uses) {
        if (!std::holds_alternative<ir::NodeId>(use))
            return false;
        users.push_back(std::get<ir::NodeId>(use));
    }
    std::ranges::sort(users);
    const bool isElsewhereToo = std::ranges::adjacent_find(users) != users.end(); // self and argument of one call
    return !users.empty() && !isElsewhereToo && std::ranges::all_of(users, [&](ir::NodeId id) {
        const ir::Node &node = m_graph.at(id);
        const ir::String *method = calledMethod(node);
        const bool callsForward = method && m_graph.context().text(method->text) == "forward";
        return selfOf(node) == value && (callsForward || fetchedAttribute(node));
    });
}

std::optional<std::string> ModulePaths::of(const ir::Node &node) const
{
    if (!fetchedAttribute(node) || node.outputs.size() != 1)
        return std::nullopt;
    const auto known = m_paths.find(node.outputs.front());
    return known == m_paths.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::string> ModulePaths::ofCalled(const ir::Node &node) const
{
    const ir::String *method = calledMethod(node);
    const auto object = selfOf(node);
    if (!method || !object || m_graph.context().text(method->text) != "forward")
        return std::nullopt;
    const auto known = m_paths.find(*object);
    const bool isSubmodule = known != m_paths.end() && !known->second.empty();
    return isSubmodule ? std::optional(known->second) : std::nullopt;
}

} // namespace cutaway::report
