// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that passes share: tests/data/passes/machinery/SOURCE.graph shows what a source of core/passes does.
#include "core/passes/copies.h"
#include "core/passes/dependencies.h"
#include "core/passes/grouping.h"
#include "core/passes/inlining.h"
#include "core/rewrite/rewriter.h"
#include "tests/core/graph_cases.h"
#include "tests/core/passes/pass_test.h"

#include <sstream>

namespace cutaway::test {
namespace {

using rewrite::Rewriter;

/// The node of this name: a case may name it.
ir::NodeRef nodeNamed(const Rewriter &rewriter, std::string_view name)
{
    const auto nodes = rewriter.nodes();
    const auto found = std::ranges::find(nodes, name, &ir::NodeRef::name);
    if (found == nodes.end())
        throw std::invalid_argument("no node " + std::string(name));
    return *found;
}

std::string finished(Rewriter &rewriter)
{
    rewriter.finish();
    return printed(rewriter.model());
}

/// "%a %b", the values that may be written to.
std::string writtenValues(Rewriter &rewriter, const GraphCase &)
{
    std::string names;
    for (std::uint32_t i = 0; i < rewriter.graph().valueCount(); ++i)
        if (rewriter.written().contains(ir::ValueId{i}))
            names += (names.empty() ? "%" : " %") + std::string(ir::ValueRef(rewriter.graph(), {i}).name());
    return names.empty() ? "nothing" : names;
}

/// A line for each node of the body: "c after a b".
std::string order(Rewriter &rewriter, const GraphCase &)
{
    const auto &nodes = rewriter.graph().at(ir::Graph::body).nodes;
    const auto before = passes::dependencies(rewriter, ir::Graph::body);
    std::string text;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        text += std::string(rewriter.node(nodes[i]).name()) + (before[i].empty() ? " at any time" : " after");
        for (const std::size_t position : before[i])
            text += " " + std::string(rewriter.node(nodes[position]).name());
        text += "\n";
    }
    return text;
}

std::string grouped(Rewriter &rewriter, const GraphCase &given)
{
    std::vector<ir::NodeId> nodes;
    std::istringstream names(given.option("nodes"));
    for (std::string name; names >> name;)
        nodes.push_back(nodeNamed(rewriter, name));
    passes::group(rewriter, nodes, "group");
    return finished(rewriter);
}

/// The region's inputs are the node's arguments.
std::string inlined(Rewriter &rewriter, const GraphCase &given)
{
    const ir::NodeRef node = nodeNamed(rewriter, given.option("node"));
    if (!passes::replaceByRegion(rewriter, node, node->regions.front(), passes::openedArguments(node, 0)))
        return "refused";
    return finished(rewriter);
}

/// The nodes of the node's region, before it, and in place of its results.
std::string copied(Rewriter &rewriter, const GraphCase &given)
{
    const ir::NodeRef node = nodeNamed(rewriter, given.option("node"));
    const ir::Region region = rewriter.graph().at(node->regions.front());
    passes::Copies copies(rewriter);
    const auto arguments = passes::openedArguments(node, 0);
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
        copies.set(region.inputs[i], arguments.at(i));
    copies.copyBefore(node, node->regions.front());
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        rewriter.replaceUses(node.output(i), copies.of(region.outputs[i]));
    return finished(rewriter);
}

/// Returns the facts of a case's graph that the option `shows` names.
std::string shown(const GraphCase &given)
{
    static const std::map<std::string, std::string (*)(Rewriter &, const GraphCase &)> functions{
        {"written", writtenValues},
        {"dependencies", order},
        {"grouping", grouped},
        {"inlining", inlined},
        {"copies", copied}};
    ir::Model model = parsed(given.graphs.front());
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    const Task task;
    Rewriter rewriter(model, ir::FunctionId{0}, [&]() -> const analysis::Shapes & { return shapes; }, task);
    return functions.at(given.option("shows"))(rewriter, given);
}

const bool machineryCases = forEachCase("Machinery", "passes/machinery", shown);

} // namespace
} // namespace cutaway::test
