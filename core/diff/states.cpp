// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/figures/module_changes.h"
#include "core/diff/figures/similarity.h"
#include "core/diff/figures/totals.h"
#include "core/diff/step_difference.h"
#include "core/ir/context.h"
#include "core/ir/text/operand_printer.h"

#include <unordered_set>

namespace cutaway::diff {

namespace {

/// Texts for the operands and types of one state's nodes.
class Texts {
public:
    explicit Texts(const Side &side) : m_graph(side.graph()), m_printer(m_text, side.model)
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            m_labels.add({i}, m_graph.at(ir::ValueId{i}).name);
        m_printer.setValues(&m_labels);
    }

    std::string of(const ir::Operand &operand)
    {
        m_text.clear();
        m_printer.append(operand);
        return m_text;
    }

    std::string typeOf(ir::ValueId value) const { return m_graph.context().print(m_graph.at(value).type); }
    std::string scopeOf(const ir::NodeRef &node) const
    {
        return std::string(m_graph.context().text(node.scope().path));
    }
    ir::NodeRef at(ir::NodeId node) const { return {m_graph, node}; }
    std::string nameOf(const ir::Argument &argument, std::size_t position) const
    {
        const std::string_view name = m_graph.context().text(argument.name);
        return name.empty() ? "#" + std::to_string(position) : std::string(name);
    }

private:
    const ir::Graph &m_graph;
    std::string m_text;
    ir::OperandPrinter m_printer;
    ir::Labels<ir::ValueId> m_labels;
};

void compareArguments(Texts &before, Texts &after, ir::NodeId node, std::vector<Change> &changes)
{
    const auto &was = before.at(node)->arguments, &is = after.at(node)->arguments;
    const auto add = [&](std::string what, std::string old, std::string now) {
        if (old != now)
            changes.push_back({Change::Kind::Argument, std::move(what), std::move(old), std::move(now)});
    };
    for (std::size_t i = 0; i < std::max(was.size(), is.size()); ++i) {
        const bool isSameName = i < was.size() && i < is.size() && was[i].name == is[i].name;
        if (isSameName) {
            add(after.nameOf(is[i], i), before.of(was[i].value), after.of(is[i].value));
            continue;
        }
        if (i < was.size())
            add(before.nameOf(was[i], i), before.of(was[i].value), {});
        if (i < is.size())
            add(after.nameOf(is[i], i), {}, after.of(is[i].value));
    }
}

std::vector<Change> changesOf(Texts &before, Texts &after, ir::NodeId node)
{
    const ir::NodeRef was = before.at(node), is = after.at(node);
    std::vector<Change> changes;
    const auto add = [&](Change::Kind kind, std::string what, std::string old, std::string now) {
        if (old != now)
            changes.push_back({kind, std::move(what), std::move(old), std::move(now)});
    };
    add(Change::Kind::Operator, "operator", was.fullName(), is.fullName());
    compareArguments(before, after, node, changes);
    for (std::size_t i = 0; i < std::min(was.outputCount(), is.outputCount()); ++i)
        add(Change::Kind::Type, "output " + std::to_string(i), before.typeOf(was.output(i)),
            after.typeOf(is.output(i)));
    add(Change::Kind::Source, "module", before.scopeOf(was), after.scopeOf(is));
    return changes;
}

/// Calls `visit` for every node, and then for those in its regions.
void forEachNode(const ir::Graph &graph, ir::RegionId region, const auto &visit)
{
    for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
        visit(node);
        for (const ir::RegionId inner : node->regions)
            forEachNode(graph, inner, visit);
    }
}

} // namespace

Difference compareStates(const Side &before, const Side &after)
{
    const StepDifference step = stepDifference(before.graph(), after.graph());
    const std::unordered_set<ir::NodeId> changed(step.changed.begin(), step.changed.end());
    const std::unordered_set<ir::NodeId> removed(step.removed.begin(), step.removed.end());
    Texts textsBefore(before), textsAfter(after);
    Difference difference;
    forEachNode(before.graph(), ir::Graph::body, [&](ir::NodeId node) {
        if (!removed.contains(node))
            difference.pairs.push_back(
                {node, node, Reason::Surroundings, 1,
                 changed.contains(node) ? changesOf(textsBefore, textsAfter, node) : std::vector<Change>()});
    });
    difference.onlyA = step.removed;
    difference.onlyB = step.added;
    difference.totals = totalsOf(before, after);
    difference.similarity = similarityOfStates(difference);
    difference.modules = moduleChanges(before, after, difference);
    return difference;
}

} // namespace cutaway::diff
