// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/passes/writes/reshapes_in_place.h"
#include "core/passes/writes/shared_memory.h"
#include "core/passes/writes/simple_views.h"
#include "core/passes/writes/writes_in_regions.h"

#include <map>
#include <set>

// Replaces writes by new values. First the graph is prepared: an operator that reshapes its tensor in place becomes a
// view; a view of written memory becomes a view that has an inverse; a branch or a loop that writes to a tensor from
// outside returns the new tensor instead. Then each region is walked twice, front to back, and the body last.
//
// The first walk finds which values share memory, see shared_memory.h.
//
// The second walk changes the graph: a write becomes a new value, made by the operator without the underscore. If it
// wrote to a view, the view's inverse (select_scatter and the like) makes a new value of the viewed tensor, and so on
// up to the base of the views, which then has a new version. Later readers get this version; a view that was not
// written to itself is made again from it. O(nodes × depth of views).

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

class Functionalizing {
public:
    Functionalizing(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left)
        : m_rewriter(rewriter),
          m_region(region),
          m_nodes(rewriter.graph().at(region).nodes),
          m_left(left),
          m_memory(rewriter, region, left)
    {
    }

    void run()
    {
        for (const NodeId id : m_nodes)
            change(m_rewriter.node(id));
        std::vector<Operand> outputs = m_rewriter.graph().at(m_region).outputs;
        for (Operand &output : outputs)
            output = current(output, std::nullopt);
        if (outputs != m_rewriter.graph().at(m_region).outputs)
            m_rewriter.setOutputs(m_region, std::move(outputs));
        if (m_region == ir::Graph::body)
            returnMutations();
        for (const NodeId write : m_done)
            m_rewriter.remove(write);
    }

private:
    struct Version {
        std::size_t number;
        Operand value;
    };
    // ---- what the program returns

    void returnMutations()
    {
        for (const auto &[base, number] : m_versions)
            if (const auto mutation = m_memory.mutationOf(base))
                m_rewriter.returnMutation(mutation->kind, mutation->target, currentOf(base, std::nullopt));
    }

    // ---- the change

    void change(const NodeRef &node)
    {
        readCurrent(node, node);
        noteView(node);
        if (const auto *moved = m_memory.statisticsOf(node))
            return moveStatistics(node, *moved);
        if (m_memory.isAlias(node)) {
            m_rewriter.replaceUses(node.output(0), node->arguments.front().value);
            m_done.insert(node);
            return;
        }
        if (!m_memory.isWrite(node))
            return;
        if (const auto reason = m_memory.whyBlocked(m_memory.baseOf(m_written.at(node))))
            return m_left.leave(node, *reason);
        m_left.done();
        const ValueId value = m_written.at(node);
        const ops::Signature &known = *m_rewriter.signature(node->op);
        m_rewriter.from({node});
        const std::string_view name = node.opName();
        const bool isConverted = m_memory.isConverted(node);
        const ir::TypeId type = m_rewriter.graph().at(value).type;
        ValueId made = m_rewriter.makeBefore(node,
                                             {.dialect = "aten",
                                              .name = name.substr(0, name.size() - 1),
                                              .overload = known.schema.overload,
                                              .arguments = pureArguments(node, known)},
                                             isConverted ? ir::TypeId() : type);
        if (isConverted)
            made = m_rewriter.makeBefore(
                node,
                {.dialect = "aten",
                 .name = "_to_copy",
                 .arguments = {{m_rewriter.text("self"), made}, {m_rewriter.text("dtype"), *m_memory.dtypeOf(value)}}},
                type);
        if (node.outputCount() == 1) // the written value keeps the name that its readers know
            m_rewriter.setName(made, node.output(0).name());
        write(node, value, made);
        m_done.insert(node);
    }

    /// Returns the arguments under the names that the operator without the underscore has for them, which may name the
    /// written tensor differently.
    std::vector<ir::Argument> pureArguments(const NodeRef &node, const ops::Signature &written)
    {
        const ops::Signature &pure = *m_rewriter.signature(*m_memory.pureForm(node, written));
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            for (std::size_t i = 0; i < written.schema.arguments.size(); ++i)
                if (argument.name == m_rewriter.text(written.schema.arguments[i].name))
                    argument.name = m_rewriter.text(pure.schema.arguments[i].name);
        return arguments;
    }

    /// Replaces the node by the operator that returns the statistics instead of writing them.
    void moveStatistics(const NodeRef &node, const SharedMemory::Statistics &moved)
    {
        if (m_memory.whyBlocked(m_memory.baseOf(moved.mean)) || m_memory.whyBlocked(m_memory.baseOf(moved.variance)))
            return;
        std::vector<ir::Argument> arguments;
        for (const std::string_view name :
             {"input", "weight", "bias", "running_mean", "running_var", "training", "momentum", "eps"}) {
            const Operand *given = m_rewriter.argument(node, name);
            arguments.push_back({m_rewriter.text(name), given ? *given : Operand()});
        }
        const ir::TypeId of[] = {m_rewriter.graph().at(moved.mean).type, m_rewriter.graph().at(moved.variance).type};
        m_rewriter.from({node});
        const NodeRef made =
            m_rewriter.insertBefore(node, {"aten", "_native_batch_norm_legit_functional", "", std::move(arguments)});
        const ValueId result = m_rewriter.addOutput(made, node.output(0)->type, node.output(0).name());
        m_rewriter.addOutput(made, of[0], "save_mean");
        m_rewriter.addOutput(made, of[1], "save_rstd");
        const ValueId mean = m_rewriter.addOutput(made, of[0], "running_mean");
        const ValueId variance = m_rewriter.addOutput(made, of[1], "running_var");
        m_rewriter.replaceUses(node.output(0), result);
        write(node, moved.mean, mean);
        write(node, moved.variance, variance);
        m_done.insert(node);
    }

    /// Notes that a view was made from the latest version of its base.
    void noteView(const NodeRef &node)
    {
        if (node.outputCount() != 1)
            return;
        const ValueId value = node.output(0);
        const SharedMemory::View *view = m_memory.viewOf(value);
        const auto number = m_versions.find(m_memory.baseOf(value));
        if (view && view->maker && number != m_versions.end())
            m_current.insert_or_assign(value, Version{number->second, value});
    }

    /// Makes the node and its regions read the current versions of their values.
    void readCurrent(const NodeRef &node, NodeId before)
    {
        if (m_memory.isWrite(node))
            m_written.emplace(node, *m_rewriter.argument(node, "self")->as<ValueId>());
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            argument.value = current(argument.value, before);
        if (arguments != node->arguments)
            m_rewriter.setArguments(node, std::move(arguments));
        const std::vector<ir::RegionId> regions = node->regions;
        for (const ir::RegionId region : regions) {
            const std::vector<NodeId> nodes = m_rewriter.graph().at(region).nodes;
            for (const NodeId inner : nodes)
                readCurrent(m_rewriter.node(inner), before);
            std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
            for (Operand &output : outputs)
                output = current(output, before);
            if (outputs != m_rewriter.graph().at(region).outputs)
                m_rewriter.setOutputs(region, std::move(outputs));
        }
    }

    Operand current(const Operand &operand, std::optional<NodeId> before)
    {
        return ir::withValues(operand, [&](ValueId value) { return currentOf(value, before); });
    }

    /// Returns the current version of a value of a family.
    Operand currentOf(ValueId value, std::optional<NodeId> before)
    {
        const auto number = m_versions.find(m_memory.baseOf(value));
        if (number == m_versions.end())
            return value; // the value was not written to so far
        if (const auto known = m_current.find(value);
            known != m_current.end() && known->second.number == number->second)
            return known->second.value;
        const SharedMemory::View &view = *m_memory.viewOf(value);
        Operand made = currentOf(view.of, before);
        if (view.maker)
            made = again(*view.maker, made, before);
        m_current.insert_or_assign(value, Version{number->second, made});
        return made;
    }

    /// Repeats a view on a new version of its base.
    Operand again(const NodeRef &maker, const Operand &base, std::optional<NodeId> before)
    {
        ir::NodeDraft draft{.op = maker->op,
                            .name = {},
                            .scope = maker->scope,
                            .location = maker->location,
                            .arguments = maker->arguments,
                            .origins = {},
                            .metadata = {}};
        draft.arguments.front().value = base;
        m_rewriter.from({maker});
        const NodeId made =
            before ? m_rewriter.insertBefore(*before, std::move(draft)) : m_rewriter.append(m_region, std::move(draft));
        return m_rewriter.addOutput(made, maker.output(0)->type, maker.opName());
    }

    /// Gives a value new elements, and with it everything that contains the value.
    void write(NodeId id, ValueId value, const Operand &elements)
    {
        const std::size_t number = ++m_lastVersion;
        std::vector<std::pair<ValueId, Operand>> renewed{{value, elements}};
        for (const auto *view = m_memory.viewOf(value); view; view = m_memory.viewOf(value)) {
            const Operand &part = renewed.back().second;
            renewed.emplace_back(view->of, view->maker ? putBack(id, *view, part) : part);
            value = view->of;
        }
        m_versions.insert_or_assign(value, number);
        for (auto &[changed, now] : renewed)
            m_current.insert_or_assign(changed, Version{number, std::move(now)});
    }

    Operand putBack(NodeId id, const SharedMemory::View &view, const Operand &part)
    {
        const Operand base = currentOf(view.of, id);
        std::vector<ir::Argument> arguments = (*view.maker)->arguments;
        const ir::NameId self = arguments.front().name;
        const auto named = [&](std::string_view name) { return self == ir::NameId{} ? self : m_rewriter.text(name); };
        arguments.front().value = view.inverse->arguments == ViewInverse::Arguments::BaseAndPart ? base : part;
        if (view.inverse->arguments == ViewInverse::Arguments::BaseAndPart)
            arguments.insert(arguments.begin() + 1, {named("src"), part});
        if (view.inverse->arguments == ViewInverse::Arguments::PartLikeBase)
            arguments = {arguments.front(), {named("other"), base}};
        if (view.inverse->arguments == ViewInverse::Arguments::Reordered)
            arguments = {arguments.front(), {named("dims"), *undoneOrder(m_rewriter.argument(*view.maker, "dims"))}};
        m_rewriter.from({id});
        return m_rewriter.makeBefore(id,
                                     {.dialect = "aten",
                                      .name = view.inverse->name,
                                      .overload = view.inverse->inverseOverload,
                                      .arguments = std::move(arguments)},
                                     m_rewriter.graph().at(view.of).type);
    }

    rewrite::Rewriter &m_rewriter;
    const ir::RegionId m_region;
    const std::vector<NodeId> m_nodes; ///< the region's nodes in order
    LeftWrites &m_left;
    SharedMemory m_memory;
    std::map<NodeId, ValueId> m_written;       ///< by writing node: the value that it writes to in the file
    std::map<ValueId, std::size_t> m_versions; ///< by base that is written to: the number of its current version
    std::map<ValueId, Version> m_current;
    std::size_t m_lastVersion = 0;
    std::set<NodeId> m_done;
};

/// Functionalizes the regions of all nodes in a region, innermost first.
void functionalizeWithin(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left)
{
    const std::vector<NodeId> nodes = rewriter.graph().at(region).nodes;
    for (const NodeId node : nodes) {
        const std::vector<ir::RegionId> inner = rewriter.node(node)->regions;
        if (inner.empty())
            continue;
        for (const ir::RegionId each : inner)
            functionalizeWithin(rewriter, each, left);
        if (carryWritesOut(rewriter, node))
            rewriter.finish();
        for (const ir::RegionId each : inner)
            Functionalizing(rewriter, each, left).run();
        rewriter.finish();
    }
}

Result<void> runFunctionalize(rewrite::Rewriter &rewriter, const Settings &)
{
    viewReshapesInPlace(rewriter);
    simplifyWrittenViews(rewriter);
    rewriter.finish();
    LeftWrites left;
    if (!rewriter.written().empty())
        functionalizeWithin(rewriter, ir::Graph::body, left);
    Functionalizing(rewriter, ir::Graph::body, left).run();
    rewriter.remark(left.print());
    return {};
}

} // namespace

extern const Pass functionalize;
const Pass functionalize{"functionalize",
                         "Replaces in-place writes, also through views, by new values where the write is understood.",
                         {},
                         runFunctionalize,
                         false};

} // namespace cutaway::passes
