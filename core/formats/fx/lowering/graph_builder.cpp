// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/graph_builder.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"

#include <algorithm>

namespace cutaway::formats::fx {

void GraphBuilder::list(ListedNode node)
{
    const std::string args = joined(node.args, ", ") + (node.args.size() == 1 ? "," : "");
    m_unmade.push_back(formatted("{}\t{}\t{}\t{}\t{}", node.opcode, node.name, node.target, args, node.kwargs));
    m_listed = std::move(node.name);
}

std::vector<std::pair<ir::NameId, ir::NameId>> GraphBuilder::metadata(const std::vector<ir::Argument> &arguments)
{
    ir::Context &context = *m_model.context;
    std::vector<std::pair<ir::NameId, ir::NameId>> entries;
    for (const std::string &row : takeUnmade())
        entries.emplace_back(context.name("fx"), context.name(row));
    if (entries.empty() && !m_listed.empty())
        entries.emplace_back(context.name("fx.of"), context.name(m_listed));
    if (!entries.empty())
        entries.emplace_back(context.name("fx.reads"), context.name(idsRead(graph, arguments)));
    return entries;
}

ir::NodeId GraphBuilder::append(ir::OpId op, std::vector<ir::Argument> arguments)
{
    if (graph.nodeCount() >= limits::maxInlinedNodes)
        unusable(formatted("the code asks for more than {} nodes", limits::maxInlinedNodes));
    ir::NodeDraft draft;
    draft.op = op;
    draft.scope = m_scopes.empty() ? ir::ScopeId{} : m_scopes.back();
    draft.location = m_location;
    draft.name = m_unmade.empty() ? ir::NameId{} : m_model.context->name(m_listed);
    draft.metadata = metadata(arguments);
    draft.arguments = std::move(arguments);
    return graph.append(ir::Graph::body, std::move(draft));
}

Typed GraphBuilder::addResult(ir::NodeId node, ir::TypeId type)
{
    const std::string name = m_names.fresh(ir::NodeRef(graph, node).opName());
    return {graph.addOutput(node, m_model.context->name(name), type), type};
}

Typed GraphBuilder::addInput(std::string_view name, ir::TypeId type)
{
    const std::string unique = m_given.emplace(name).second ? std::string(name) : m_names.fresh(name);
    return {graph.addInput(ir::Graph::body, m_model.context->name(unique), type), type};
}

Typed GraphBuilder::weight(ir::TensorId tensor)
{
    if (const auto known = m_weights.find(tensor); known != m_weights.end())
        return known->second;
    const std::string name = m_names.fresh(m_model.context->text(m_model.at(tensor).name));
    const ir::TypeId type = m_types.ofTensor(tensor);
    const ir::ValueId value = graph.addWeight(ir::Graph::body, m_model.context->name(name), type, tensor);
    return m_weights.emplace(tensor, Typed{value, type}).first->second;
}

void GraphBuilder::nameResult(const Term &term, std::string_view name)
{
    const auto *typed = term.as<Typed>();
    const auto *value = typed ? typed->operand.as<ir::ValueId>() : nullptr;
    if (!value || !std::holds_alternative<ir::NodeResult>(graph.at(*value).definition) || m_named.contains(*value)
        || !m_given.emplace(name).second)
        return;
    m_named.insert(*value);
    graph.setName(*value, m_model.context->name(name));
}

void GraphBuilder::nameInput(ir::ValueId value, std::string_view name)
{
    if (m_given.emplace(name).second)
        graph.setName(value, m_model.context->name(name));
}

void GraphBuilder::removeFrom(ir::NodeId first)
{
    std::vector<ir::NodeId> nodes;
    for (ir::NodeId id = first; id.index < graph.nodeCount(); ++id.index) {
        nodes.push_back(id);
        for (const auto &[key, value] : graph.at(id).metadata)
            if (m_model.context->text(key) == "fx")
                m_unmade.emplace_back(m_model.context->text(value));
    }
    graph.remove(nodes);
}

ir::ScopeId GraphBuilder::child(ir::ScopeId parent, std::string_view name, bool isCalled)
{
    const ir::NameId id = m_model.context->name(name);
    std::string path(m_model.context->text(m_model.context->at(parent).path));
    path.append(path.empty() ? "" : ".").append(name);
    const auto entry = m_model.modulesByPath.find(m_model.context->name(path));
    const std::string_view className =
        entry == m_model.modulesByPath.end() ? "" : m_model.context->text(m_model.at(entry->second).className);
    const std::uint32_t call = isCalled ? m_calls[{parent, id}]++ : 0;
    return m_model.context->childScope(parent, name, className, call);
}

void GraphBuilder::enter(std::string_view path)
{
    const auto leadsTo = [&](std::string_view outer) {
        return outer.empty() || (path.starts_with(outer) && path.size() > outer.size() && path[outer.size()] == '.');
    };
    ir::Context &context = *m_model.context;
    ir::ScopeId from = m_scopes.empty() ? ir::ScopeId{} : m_scopes.back();
    while (!leadsTo(context.text(context.at(from).path)))
        from = context.at(from).parent;
    const std::size_t outer = context.text(context.at(from).path).size();
    std::string_view rest = path.substr(outer == 0 ? 0 : outer + 1);
    while (!rest.empty()) {
        const std::size_t dot = rest.find('.');
        from = child(from, rest.substr(0, dot), dot == rest.npos);
        rest.remove_prefix(dot == rest.npos ? rest.size() : dot + 1);
    }
    m_scopes.push_back(from);
}

std::string idsRead(const ir::Graph &graph, std::span<const ir::Argument> arguments)
{
    std::string ids;
    for (const ir::Argument &argument : arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            if (!ir::ValueRef(graph, value).weight())
                ids.append(ids.empty() ? "" : ",").append(std::to_string(value.index));
        });
    return ids;
}

} // namespace cutaway::formats::fx
