// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/copies.h"

#include "core/ops/attribute_reference.h"

#include <algorithm>

namespace cutaway::passes {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

Copies::Copies(rewrite::Rewriter &rewriter, const ir::Function &source, std::optional<NodeRef> call)
    : m_rewriter(rewriter),
      m_source(source),
      m_call(call)
{
    if (!call)
        return;
    m_scopes.emplace(ir::ScopeId{}, (*call)->scope);
    m_locations.emplace(ir::LocationId{}, (*call)->location);
}

Operand Copies::of(const Operand &original)
{
    return ir::withValues(original, [this](ValueId value) { return ofValue(value); });
}

/// Returns what stands for a value in the copies. A value that set() does not define is a weight, or lies outside of
/// the copied region, and stays the same.
Operand Copies::ofValue(ValueId original)
{
    if (const auto known = m_values.find(original); known != m_values.end())
        return known->second;
    const ir::Value &value = m_source.graph.at(original);
    const auto *weight = std::get_if<ir::Weight>(&value.definition);
    if (weight && (m_call || weight->region != ir::Graph::body)) {
        const ValueId here = m_rewriter.weight(weight->tensor, value.name, value.type);
        set(original, here);
        return here;
    }
    return m_call ? Operand() : Operand(original);
}

std::vector<NodeRef> Copies::copyBefore(NodeId next, RegionId region)
{
    std::vector<NodeRef> made;
    const std::vector<NodeId> nodes = m_source.graph.at(region).nodes;
    for (const NodeId node : nodes) {
        m_rewriter.from({m_call ? m_call->id() : node});
        finish(node, m_rewriter.insertBefore(next, draftOf(node)), made);
    }
    return made;
}

void Copies::copyInto(RegionId target, RegionId region, std::vector<NodeRef> &made)
{
    const std::vector<ValueId> inputs = m_source.graph.at(region).inputs;
    for (const ValueId input : inputs) {
        const ir::ValueRef value(m_source.graph, input);
        set(input, m_rewriter.addRegionInput(target, value->name, value->type));
    }
    const std::vector<NodeId> nodes = m_source.graph.at(region).nodes;
    for (const NodeId node : nodes) {
        m_rewriter.from({m_call ? m_call->id() : node});
        finish(node, m_rewriter.append(target, draftOf(node)), made);
    }
    std::vector<Operand> outputs = m_source.graph.at(region).outputs;
    std::ranges::transform(outputs, outputs.begin(), [this](const Operand &output) { return of(output); });
    m_rewriter.setOutputs(target, std::move(outputs));
}

/// Sets the results and copies the regions of a copy.
void Copies::finish(NodeId original, const NodeRef &copy, std::vector<NodeRef> &made)
{
    made.push_back(copy);
    const ir::Node node = m_source.graph.at(original); // a copy, as its graph may get the new nodes
    for (const RegionId region : node.regions)
        copyInto(m_rewriter.addRegion(copy, m_source.graph.at(region).name), region, made);
    for (const ValueId output : node.outputs) {
        const ir::ValueRef value(m_source.graph, output);
        set(output, m_rewriter.addOutput(copy, value->type, value.name()));
    }
}

ir::NodeDraft Copies::draftOf(NodeId original)
{
    const ir::Node node = m_source.graph.at(original);
    ir::NodeDraft draft{.op = node.op,
                        .name = node.name,
                        .scope = scopeOf(node.scope),
                        .location = locationOf(node.location),
                        .arguments = {},
                        .origins = {},
                        .metadata = node.metadata};
    for (const ir::Argument &argument : node.arguments)
        if (auto here = argumentOf(argument))
            draft.arguments.push_back(std::move(*here));
    return draft;
}

/// Returns the argument for the copy. If it refers to an attribute of an ONNX function, it becomes the call's value or
/// the default; without either it is dropped.
std::optional<ir::Argument> Copies::argumentOf(const ir::Argument &original)
{
    const auto reference = m_call ? ops::referredAttribute(m_rewriter.context(), original.value) : std::nullopt;
    if (!reference)
        return ir::Argument{original.name, of(original.value)};
    if (const Operand *given = m_call->argument(m_rewriter.context().text(*reference)))
        return ir::Argument{original.name, *given};
    const auto place = std::ranges::find(m_source.attributes, *reference, &ir::Argument::name);
    if (place == m_source.attributes.end() || place->value.as<ir::None>())
        return std::nullopt;
    return ir::Argument{original.name, place->value};
}

/// Maps a callee's scope to one under the root chosen by setScope() or the call.
ir::ScopeId Copies::scopeOf(ir::ScopeId original)
{
    if (!m_call)
        return original;
    if (const auto known = m_scopes.find(original); known != m_scopes.end())
        return known->second;
    const ir::Context &context = m_rewriter.context();
    const ir::Scope &scope = context.at(original);
    const ir::ScopeId parent = scopeOf(scope.parent);
    const ir::ScopeId here =
        m_rewriter.context().childScope(parent, context.text(scope.name), context.text(scope.className), scope.call);
    m_scopes.emplace(original, here);
    return here;
}

/// Maps a callee's source position to one that is called from the call's.
ir::LocationId Copies::locationOf(ir::LocationId original)
{
    if (!m_call)
        return original;
    if (const auto known = m_locations.find(original); known != m_locations.end())
        return known->second;
    ir::Location location = m_rewriter.context().at(original);
    location.caller = locationOf(location.caller);
    const ir::LocationId here = m_rewriter.context().location(location);
    m_locations.emplace(original, here);
    return here;
}

} // namespace cutaway::passes
