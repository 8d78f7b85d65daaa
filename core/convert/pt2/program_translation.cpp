// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_translation.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/preparation.h"
#include "core/convert/pt2/program_rules.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/inlining.h"

#include <algorithm>

// Only what the results need is translated. Nodes that a program cannot express make no value, and their readers are
// skipped, so that the list of missing operators names each cause once.

namespace cutaway::convert {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

namespace {

bool runsRegion(const NodeRef &node)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    return node->regions.size() == 1 && (ops::kindOf(node) == ops::kind::fork || (row && row->traits.runsRegionOnce));
}

} // namespace

ProgramTranslation::ProgramTranslation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                                       const analysis::Given &given)
    : m_context(*source.context),
      m_shapes(shapes),
      m_converted{withoutGraphs(source, "pt2"), {}, {}},
      m_losses(m_converted),
      m_graph(m_converted.model),
      m_values(source, source.at(function), shapes, m_graph),
      m_signature(source.at(function), given, m_values, m_losses),
      m_calls(source, function, shapes, m_values, m_losses),
      m_written(writtenValuesOf(source.at(function).graph, m_values.signatures())),
      m_needed(source.at(function), shapes, m_written)
{
    for (const analysis::DataSize &size : shapes.dataSizes)
        m_graph.addDataSize(size.name);
}

Result<Converted> ProgramTranslation::run(const Task &task)
{
    CUTAWAY_RETURN_IF_ERROR(m_signature.addInputs());
    lowerRegion(ir::Graph::body);
    missAutocasts();
    m_losses.noteEffects(source());
    if (task.stopRequested())
        return cancelled();
    m_signature.addOutputs();
    m_signature.finish(m_converted.model, m_shapes);
    return std::move(m_converted);
}

// ---- nodes

void ProgramTranslation::lowerRegion(ir::RegionId region)
{
    for (const NodeRef node : ir::nodesOf(source(), region))
        if (m_needed.areMadeBy(node))
            lowerNode(node);
}

/// Sets the results of a node without making a new node, if facts determine all of them: sizes, numbers, lists of
/// these. Returns whether they do.
bool ProgramTranslation::resolveByFacts(const NodeRef &node)
{
    if (node->outputs.empty()) // a node without results only matters for its writes
        return false;
    std::vector<Operand> results;
    for (const ValueId output : node->outputs) {
        auto known = m_values.resolved(m_shapes.of(output));
        if (!known)
            return false;
        results.push_back(std::move(*known));
    }
    for (std::size_t i = 0; i < results.size(); ++i)
        m_values.set(node.output(i), std::move(results[i]));
    return true;
}

void ProgramTranslation::lowerNode(const NodeRef &node)
{
    m_graph.from(node);
    const ops::OperatorKind kind = ops::kindOf(node);
    if (m_written.areAt(node))
        refuse("what it reads or makes is written to in place");
    else if (resolveByFacts(node))
        return;
    else if ((kind == ops::kind::ifElse || kind == ops::kind::cond) && node->regions.size() == 2)
        lowerIf(node);
    else if (runsRegion(node))
        lowerOnce(node);
    else if (kind == ops::kind::loop && node->regions.size() == 1)
        lowerLoop(node);
    else if (!node->regions.empty())
        refuse("there is no rule for what runs its regions");
    else if (!lowerByRule(node) && !isRefused())
        m_calls.add(node);
    if (isRefused())
        keep(node);
}

/// Translates a node by a rule. Returns false if there is none, or if the rule does not apply.
bool ProgramTranslation::lowerByRule(const NodeRef &node)
{
    const auto row = ops::findRow(node.dialect(), node.opName());
    const ProgramRule *rule = programRuleOf(node.dialect(), row ? row->plain : node.opName());
    const auto results = rule ? rule->make(m_values, node, rule->target) : std::vector<Operand>();
    if (results.empty() || isRefused() || results.size() != node.outputCount())
        return false;
    for (std::size_t i = 0; i < results.size(); ++i)
        m_values.set(node.output(i), results[i]);
    return true;
}

/// Lowers a node that runs its region once: the region's inputs are the node's last arguments.
void ProgramTranslation::lowerOnce(const NodeRef &node)
{
    const ir::Region &region = source().at(node->regions.front());
    const std::vector<Operand> given = passes::openedArguments(node, 0);
    if (given.size() < region.inputs.size() || region.outputs.size() != node.outputCount())
        return refuse("its region does not fit its arguments");
    const std::size_t first = given.size() - region.inputs.size();
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
        m_values.set(region.inputs[i], m_values.made(given[first + i]));
    if (isRefused())
        return;
    lowerRegion(node->regions.front());
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        m_values.set(node.output(i), m_values.made(region.outputs[i]));
}

/// Adds the node to the missing ones, unless it is only skipped because a value that it reads is missing.
void ProgramTranslation::keep(const NodeRef &node)
{
    m_values.fail(node);
    if (const std::string reason = m_values.takeReason(); !reason.empty())
        m_losses.miss(formatted("{}::{}", node.dialect(), node.opName()), reason, placeOf(node));
}

void ProgramTranslation::missAutocasts()
{
    for (ir::NodeId id{0}; id.index < source().nodeCount(); ++id.index)
        if (const NodeRef node(source(), id); !node->removed && entersAutocast(node))
            m_losses.miss(node.fullName(), "there is no rule for torch.autocast", placeOf(node));
}

} // namespace cutaway::convert
