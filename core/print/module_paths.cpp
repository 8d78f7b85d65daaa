// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/module_paths.h"

#include "core/ops/program/control_flow.h"
#include "core/print/control_flow.h"

#include <algorithm>

namespace cutaway::print {

namespace {

constexpr std::size_t maxPathLength = 1000; ///< limit of bytes: a chain of a million attributes would be quadratic

const ir::String *fetchedAttribute(const ir::NodeRef &node)
{
    const ir::Operand *name = ops::kindOf(node) == ops::kind::getAttribute ? argumentOf(node, "name", 1) : nullptr;
    return name ? name->as<ir::String>() : nullptr;
}

std::optional<ir::ValueId> selfOf(const ir::NodeRef &node)
{
    return ir::valueOf(node.graph(), argumentOf(node, "self", 0));
}

bool callsForward(const ir::NodeRef &node)
{
    const ir::String *method = calledMethod(node);
    return method && node.graph().context().text(method->text) == "forward";
}

bool onlyLeadsOn(const ir::ValueRef &value)
{
    std::vector<ir::NodeId> users;
    for (const ir::Use &use : value->uses) {
        if (!std::holds_alternative<ir::NodeId>(use))
            return false;
        users.push_back(std::get<ir::NodeId>(use));
    }
    std::ranges::sort(users);
    // A node that uses the value twice has it as another argument, not only as its self.
    const bool isElsewhereToo = std::ranges::adjacent_find(users) != users.end();
    return !users.empty() && !isElsewhereToo && std::ranges::all_of(users, [&](ir::NodeId id) {
        const ir::NodeRef node(value.graph(), id);
        return selfOf(node) == value.id() && (callsForward(node) || fetchedAttribute(node));
    });
}

} // namespace

const ir::String *calledMethod(const ir::NodeRef &node)
{
    const ir::Operand *name = ops::kindOf(node) == ops::kind::callMethod ? argumentOf(node, "method", 1) : nullptr;
    return name ? name->as<ir::String>() : nullptr;
}

ModulePaths::ModulePaths(const ir::Function &function) : m_isStep(function.graph.valueCount())
{
    const ir::Graph &graph = function.graph;
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto value = ir::valueOf(graph, &input.value); value && value->name() == "self")
            m_paths.emplace(*value, "");
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, {i});
        const ir::String *name = node->removed ? nullptr : fetchedAttribute(node);
        const auto object = name ? selfOf(node) : std::nullopt;
        const auto above = object ? m_paths.find(*object) : m_paths.end();
        if (above == m_paths.end() || node.outputCount() != 1 || above->second.size() > maxPathLength)
            continue;
        const std::string path =
            (above->second.empty() ? "" : above->second + ".") + std::string(graph.context().text(name->text));
        const ir::ValueRef fetched = node.output(0);
        m_isStep[fetched.id().index] = path.size() <= maxPathLength && onlyLeadsOn(fetched);
        m_paths.emplace(fetched, path);
    }
}

std::optional<std::string> ModulePaths::of(const ir::NodeRef &node) const
{
    if (!fetchedAttribute(node) || node.outputCount() != 1)
        return std::nullopt;
    const auto known = m_paths.find(node.output(0));
    return known == m_paths.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::string> ModulePaths::ofCalled(const ir::NodeRef &node) const
{
    const auto object = callsForward(node) ? selfOf(node) : std::nullopt;
    const auto known = object ? m_paths.find(*object) : m_paths.end();
    const bool isSubmodule = known != m_paths.end() && !known->second.empty();
    return isSubmodule ? std::optional(known->second) : std::nullopt;
}

} // namespace cutaway::print
