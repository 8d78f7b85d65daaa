// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/carried_lists.h"

#include "core/ops/program/container.h"
#include "core/ops/program/control_flow.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

class CarriedList {
public:
    CarriedList(rewrite::Rewriter &rewriter, const NodeRef &maker)
        : m_rewriter(rewriter),
          m_maker(maker),
          m_list(maker.output(0)),
          m_type(maker.output(0)->type)
    {
    }

    void run()
    {
        if (isOnlyGrown()
            && std::ranges::any_of(m_grown, [this](RegionId region) { return region != m_maker->parent; }))
            walk(m_maker->parent, m_list);
    }

private:
    bool appends(const NodeRef &node)
    {
        return m_rewriter.kind(node) == ops::kind::append && node->arguments.size() == 2
            && node->arguments[0].value == Operand(m_list);
    }

    /// Whether nodes only append to the list, read it, or return it from the region that makes it, and whether all
    /// regions around an appending node can return it. Notes the regions that append.
    bool isOnlyGrown()
    {
        return std::ranges::all_of(m_rewriter.graph().at(m_list).uses, [this](const ir::Use &use) {
            const auto *region = std::get_if<RegionId>(&use);
            if (region)
                return *region == m_maker->parent;
            const NodeRef node = m_rewriter.node(std::get<ir::NodeId>(use));
            if (!appends(node))
                return onlyReads(node);
            const bool isAlone = node->arguments[1].value != Operand(m_list)
                && std::ranges::all_of(node.outputs(), [](const ir::ValueRef &same) { return same->uses.empty(); });
            return isAlone && canCarry(node->parent);
        });
    }

    bool onlyReads(const NodeRef &node)
    {
        const auto canHold = [](const ir::ValueRef &output) {
            return !output->uses.empty() && !output.tensorType() && !std::get_if<ir::NumberType>(&output.type());
        };
        return node->regions.empty() && m_rewriter.isPure(node) && std::ranges::none_of(node.outputs(), canHold);
    }

    /// Whether all nodes between `region` and the region that makes the list are branches or loops of TorchScript,
    /// which can be made to return the list. Notes the regions in m_grown.
    bool canCarry(RegionId region)
    {
        m_grown.insert(region);
        while (region != m_maker->parent) {
            const auto owner = m_rewriter.graph().at(region).owner;
            if (!owner)
                return false;
            const NodeRef node = m_rewriter.node(*owner);
            const ops::OperatorKind kind = m_rewriter.kind(node);
            const bool isLoop = kind == ops::kind::loop && node->regions.size() == 1;
            if (node.isOnnx() || (!isLoop && (kind != ops::kind::ifElse || node->regions.size() != 2)))
                return false;
            region = node->parent;
            m_grown.insert(region);
        }
        return true;
    }

    /// Makes all nodes of a region read the current list, which is `now` at its beginning; returns the list at its end.
    Operand walk(RegionId region, Operand now)
    {
        const std::vector<ir::NodeId> nodes = m_rewriter.graph().at(region).nodes;
        for (const ir::NodeId id : nodes) {
            const NodeRef node = m_rewriter.node(id);
            if (m_rewriter.isRemoved(id))
                continue;
            if (appends(node)) {
                now = grown(node, now);
                continue;
            }
            std::vector<ir::Argument> arguments = node->arguments;
            for (ir::Argument &argument : arguments)
                ir::replaceValue(argument.value, m_list, now);
            if (arguments != node->arguments)
                m_rewriter.setArguments(id, std::move(arguments));
            if (!node->regions.empty())
                now = behind(node, now);
        }
        std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
        for (Operand &output : outputs)
            ir::replaceValue(output, m_list, now);
        if (outputs != m_rewriter.graph().at(region).outputs)
            m_rewriter.setOutputs(region, std::move(outputs));
        return now;
    }

    Operand grown(const NodeRef &append, const Operand &now)
    {
        m_rewriter.from({append.id()});
        const ValueId more = m_rewriter.makeBefore(
            append.id(), {"prim", "ListConstruct", "", {{{}, append->arguments[1].value}}}, m_type);
        const ValueId made = m_rewriter.makeBefore(
            append.id(), {"aten", "add", "t", {{m_rewriter.text("a"), now}, {m_rewriter.text("b"), more}}}, m_type);
        m_rewriter.remove(append.id());
        return made;
    }

    /// Returns the version of the list after a node with regions.
    Operand behind(const NodeRef &node, const Operand &now)
    {
        const std::vector<RegionId> regions = node->regions;
        const bool isGrown = std::ranges::any_of(regions, [this](RegionId each) { return m_grown.contains(each); });
        const bool isLoop = isGrown && m_rewriter.kind(node) == ops::kind::loop;
        if (isLoop) {
            std::vector<ir::Argument> arguments = node->arguments;
            arguments.push_back({{}, now});
            m_rewriter.setArguments(node.id(), std::move(arguments));
        }
        for (const RegionId region : regions) {
            const ir::NameId name = m_rewriter.graph().at(m_list).name;
            const Operand end = walk(region, isLoop ? Operand(m_rewriter.addRegionInput(region, name, m_type)) : now);
            if (!isGrown)
                continue;
            std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
            outputs.push_back(end);
            m_rewriter.setOutputs(region, std::move(outputs));
        }
        return isGrown ? Operand(m_rewriter.addOutput(node.id(), m_type, m_maker.output(0).name())) : now;
    }

    rewrite::Rewriter &m_rewriter;
    NodeRef m_maker;
    ValueId m_list;
    ir::TypeId m_type;
    std::unordered_set<RegionId> m_grown; ///< regions that append, and the regions around them
};

} // namespace

bool appendsInRegions(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id);
            !node->removed && node->parent != ir::Graph::body && ops::kindOf(node) == ops::kind::append)
            return true;
    return false;
}

passes::Pass listCarrying()
{
    const auto run = [](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        for (const NodeRef node : rewriter.nodes())
            if (!rewriter.isRemoved(node.id()) && rewriter.kind(node) == ops::kind::listOf && node.outputCount() == 1)
                CarriedList(rewriter, node).run();
        return {};
    };
    return {"carry-lists", "Hands lists on that branches and loops append to.", {}, run, false};
}

} // namespace cutaway::convert
