// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/optimizing/alias_sets.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

/// Returns the part of an alias annotation before the arrow: "a!" for "a! -> *".
std::string_view before(std::string_view alias) { return alias.substr(0, alias.find(" -> ")); }

/// Whether two annotations have a set in common: "a|b" and "b!" do.
bool haveCommonSet(std::string_view a, std::string_view b)
{
    return std::ranges::any_of(before(a),
                               [&](char set) { return set >= 'a' && set <= 'z' && before(b).contains(set); });
}

} // namespace

AliasSets::AliasSets(const ir::Graph &graph, ir::RegionId region, ir::NodeId first, OperatorCalls &operators)
    : m_graph(graph),
      m_operators(operators)
{
    addRegion(region, first);
    std::unordered_set<Set> written;
    for (const Set set : m_written)
        written.insert(root(set));
    m_written = std::move(written);
}

AliasSets::Set AliasSets::root(Set set)
{
    while (m_parents[set] != set)
        set = m_parents[set] = m_parents[m_parents[set]];
    return set;
}

/// Returns the set of a value; `unknown` for a value that was not visited, because it comes from outside.
AliasSets::Set AliasSets::setOf(ir::ValueId value)
{
    const auto known = m_sets.find(value);
    return known == m_sets.end() ? unknown : root(known->second);
}

/// Whether a value may share memory: numbers and texts have no memory that is written to.
bool AliasSets::mayShare(ir::ValueId value) const
{
    const ir::Type &type = ir::ValueRef(m_graph, value).type();
    return !std::holds_alternative<ir::NumberType>(type) && !std::holds_alternative<ir::PlainType>(type);
}

void AliasSets::join(const ir::Operand &a, const ir::Operand &b)
{
    forEachValue(a, [&](ir::ValueId one) {
        forEachValue(b, [&](ir::ValueId other) {
            if (!mayShare(one) || !mayShare(other))
                return;
            const Set x = setOf(one), y = setOf(other);
            m_parents[std::max(x, y)] = std::min(x, y);
        });
    });
}

void AliasSets::joinUnknown(const ir::Operand &operand)
{
    forEachValue(operand, [&](ir::ValueId value) {
        if (mayShare(value))
            m_parents[setOf(value)] = unknown;
    });
}

void AliasSets::addRegion(ir::RegionId region, ir::NodeId first)
{
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
        if (node.id() >= first)
            addNode(node);
}

void AliasSets::addNode(const ir::NodeRef &node)
{
    const auto add = [this](ir::ValueId value) {
        m_sets.emplace(value, static_cast<Set>(m_parents.size()));
        m_parents.push_back(static_cast<Set>(m_parents.size()));
    };
    std::ranges::for_each(node->outputs, add);
    for (const ir::RegionId region : node->regions)
        std::ranges::for_each(m_graph.at(region).inputs, add);
    if (!node->regions.empty())
        return addRegions(node);
    if (const OperatorEffects &effects = m_operators.effectsOf(node); effects.schema) {
        // If the schema declares no aliases, each declared result has memory of its own.
        if (!effects.hasAliases && node.outputCount() <= effects.schema->returns.size())
            return;
        addOperator(node, *effects.schema);
        for (const ir::ValueId value : writtenBy(node))
            m_written.insert(setOf(value));
        return;
    }
    // A new container has memory of its own; values taken out of it later may share memory with any other.
    const std::string_view name = node.opName();
    if (node.dialect() == "prim" && (name.ends_with("Construct") || name == "CreateObject"))
        return;
    for (const ir::Argument &argument : node->arguments)
        joinUnknown(argument.value);
    for (const ir::ValueId output : node->outputs)
        joinUnknown(output);
}

/// Adds the regions of a node. A branch's result may share memory with the value of either side, a loop's result with
/// its initial value and with the value that the body gives it.
void AliasSets::addRegions(const ir::NodeRef &node)
{
    const bool isLoop = node.opName() == "Loop";
    const std::size_t skipped = isLoop ? 1 : 0;
    for (const ir::RegionId id : node->regions) {
        const ir::Region &region = m_graph.at(id);
        for (std::size_t i = skipped; isLoop && i < region.inputs.size() && i + 1 < node->arguments.size(); ++i)
            join(region.inputs[i], node->arguments[i + 1].value);
        addRegion(id, {});
        for (std::size_t i = skipped; i < region.outputs.size(); ++i) {
            if (i - skipped < node.outputCount())
                join(region.outputs[i], node->outputs[i - skipped]);
            if (isLoop && i < region.inputs.size())
                join(region.outputs[i], region.inputs[i]);
        }
    }
    for (std::size_t i = 0; isLoop && i < node.outputCount() && i + 2 < node->arguments.size(); ++i)
        join(node->arguments[i + 2].value, node->outputs[i]);
}

void AliasSets::addOperator(const ir::NodeRef &node, const ops::Schema &schema)
{
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const auto *result = i < schema.returns.size() ? &schema.returns[i] : nullptr;
        if (!result || (result->type.alias && result->type.alias->contains('*')))
            joinUnknown(node->outputs[i]);
    }
    for (const ir::Argument &argument : node->arguments) {
        const std::string_view name = m_graph.context().text(argument.name);
        const auto declared = std::ranges::find(schema.arguments, name, &ops::SchemaArgument::name);
        if (declared == schema.arguments.end() || !declared->type.alias)
            continue;
        if (declared->type.alias->contains('*'))
            joinUnknown(argument.value);
        for (std::size_t i = 0; i < node.outputCount() && i < schema.returns.size(); ++i)
            if (const auto &alias = schema.returns[i].type.alias; alias && haveCommonSet(*alias, *declared->type.alias))
                join(argument.value, node->outputs[i]);
    }
}

std::vector<ir::ValueId> AliasSets::writtenBy(const ir::NodeRef &node)
{
    std::vector<ir::ValueId> written;
    const OperatorEffects &effects = m_operators.effectsOf(node);
    if (!effects.schema || !effects.hasAliases || !node->regions.empty())
        return written;
    for (const ir::Argument &argument : node->arguments) {
        const std::string_view name = m_graph.context().text(argument.name);
        const auto declared = std::ranges::find(effects.schema->arguments, name, &ops::SchemaArgument::name);
        if (declared != effects.schema->arguments.end() && declared->type.isWritten())
            forEachValue(argument.value, [&](ir::ValueId value) { written.push_back(value); });
    }
    return written;
}

bool AliasSets::writesToUnknown(const ir::NodeRef &node)
{
    const OperatorEffects &effects = m_operators.effectsOf(node);
    if (!effects.mayWrite || !node->regions.empty())
        return false;
    return !effects.schema
        || std::ranges::any_of(writtenBy(node), [this](ir::ValueId value) { return setOf(value) == unknown; });
}

bool AliasSets::writesToRead(const ir::NodeRef &node)
{
    return std::ranges::any_of(writtenBy(node), [this](ir::ValueId value) { return m_read.contains(setOf(value)); });
}

} // namespace cutaway::formats::torchscript
