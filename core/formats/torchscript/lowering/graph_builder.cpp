// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/graph_builder.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

/// Whether a name is like "_12", which TorchScript's printer gives to unnamed values.
bool isTemporary(std::string_view name)
{
    return name.empty()
        || (name.starts_with('_') && std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; }));
}

/// Operators that torch's peephole optimizer may replace by their results.
constexpr std::array<std::string_view, 7> peepholeNames{"len",   "__getitem__", "ListUnpack", "add",
                                                        "slice", "dim",         "cat"};

} // namespace

GraphBuilder::GraphBuilder(ir::Model &model, const Objects &objects, Types &types)
    : graph(model.context),
      m_model(model),
      m_context(*model.context),
      m_objects(objects),
      m_types(types)
{
}

ir::NameId GraphBuilder::uniqueName(std::string_view hint)
{
    const ir::NameId plain = m_context.name(hint);
    const auto [known, isNew] = m_names.try_emplace(plain, 0);
    if (isNew)
        return plain;
    std::uint32_t &last = known->second; // a reference into the map stays valid when names are added
    for (std::string name;;) {
        name.assign(hint).append("_").append(std::to_string(++last));
        const ir::NameId numbered = m_context.name(name);
        if (m_names.try_emplace(numbered, 0).second)
            return numbered;
    }
}

ir::NodeId GraphBuilder::append(const NodeOrigin &origin, ir::OpId op, std::vector<ir::Argument> arguments)
{
    ir::NodeDraft draft;
    draft.op = op;
    draft.scope = origin.scope;
    draft.location = origin.location;
    draft.arguments = std::move(arguments);
    const ir::NodeId node = graph.append(m_region, std::move(draft));
    if (std::ranges::contains(peepholeNames, m_context.text(m_context.at(op).name)))
        m_peepholeNodes.push_back(node);
    return node;
}

ir::NodeId GraphBuilder::append(const NodeOrigin &origin, std::string_view prim, std::vector<ir::Argument> arguments)
{
    return append(origin, m_context.op("prim", prim), std::move(arguments));
}

Typed GraphBuilder::addResult(ir::NodeId node, ir::TypeId type, std::string_view hint)
{
    const std::string_view own = isTemporary(hint) ? ir::NodeRef(graph, node).opName() : hint;
    return {graph.addOutput(node, uniqueName(own), type), type};
}

Typed GraphBuilder::emit(const NodeOrigin &origin, std::string_view prim, std::vector<ir::Argument> arguments,
                         ir::TypeId type, std::string_view hint)
{
    return addResult(append(origin, prim, std::move(arguments)), type, hint);
}

Typed GraphBuilder::attribute(const NodeOrigin &origin, const ir::Operand &self, std::string_view name, ir::TypeId type,
                              std::string_view hint)
{
    return emit(origin, "GetAttr", {argument("self", self), argument("name", text(name))}, type, hint);
}

Typed GraphBuilder::addInput(ir::RegionId region, ir::TypeId type, std::string_view hint)
{
    return {graph.addInput(region, uniqueName(hint), type), type};
}

void GraphBuilder::renameInput(const ir::Operand &operand, std::string_view hint)
{
    const auto *value = operand.as<ir::ValueId>();
    const auto *input = value ? std::get_if<ir::RegionInput>(&graph.at(*value).definition) : nullptr;
    if (input && input->region == ir::Graph::body && !isTemporary(hint))
        graph.setName(*value, uniqueName(hint));
}

Typed GraphBuilder::weight(ir::TensorId tensor)
{
    if (const auto known = m_weights.find(tensor); known != m_weights.end())
        return known->second;
    const ir::TypeId type = m_types.ofTensor(tensor);
    const ir::NameId name = uniqueName(m_context.text(m_model.at(tensor).name));
    return m_weights.emplace(tensor, Typed{graph.addWeight(ir::Graph::body, name, type, tensor), type}).first->second;
}

Typed GraphBuilder::root()
{
    if (!m_root)
        m_root = addInput(ir::Graph::body, m_types.ofClass(m_objects.instances.front().className), "self");
    return *m_root;
}

Typed GraphBuilder::module(const NodeOrigin &origin, const ModuleTerm &module)
{
    if (module.path.empty())
        return root();
    const Instance &instance = m_objects.at(module.instance);
    const ir::TypeId type = m_types.ofClass(module.interface ? module.interface->name : instance.className);
    return attribute(origin, root().operand, module.path, type, module.path);
}

ir::ScopeId GraphBuilder::child(ir::ScopeId parent, std::string_view name, bool isCalled)
{
    const ir::NameId id = m_context.name(name);
    std::string path(m_context.text(m_context.at(parent).path));
    path.append(path.empty() ? "" : ".").append(name);
    const auto entry = m_model.modulesByPath.find(m_context.name(path));
    const std::string_view className =
        entry == m_model.modulesByPath.end() ? "" : m_context.text(m_model.at(entry->second).className);
    const std::uint32_t call = isCalled ? m_calls[{parent, id}]++ : 0;
    return m_context.childScope(parent, name, className, call);
}

ir::ScopeId GraphBuilder::enter(ir::ScopeId from, std::string_view path)
{
    const auto leadsTo = [&](std::string_view outer) {
        return outer.empty() || (path.starts_with(outer) && path.size() > outer.size() && path[outer.size()] == '.');
    };
    std::string_view outer = m_context.text(m_context.at(from).path);
    if (outer == path)
        return from;
    for (; !leadsTo(outer); outer = m_context.text(m_context.at(from).path))
        from = m_context.at(from).parent;
    std::string_view rest = path.substr(outer.empty() ? 0 : outer.size() + 1);
    while (true) {
        const std::size_t dot = rest.find('.');
        from = child(from, rest.substr(0, dot), dot == rest.npos);
        if (dot == rest.npos)
            return from;
        rest.remove_prefix(dot + 1);
    }
}

} // namespace cutaway::formats::torchscript
