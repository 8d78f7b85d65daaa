// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/structure/structure.h"

#include "core/ir/node_ref.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <chrono>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// Values that go back in the order of a structure, from a region to one before it or within one; "" where none does.
std::string goingBack(const ir::Graph &graph, const structure::Structure &found)
{
    const std::vector<ir::NodeId> &nodes = graph.at(ir::Graph::body).nodes;
    std::vector<std::size_t> places(graph.nodeCount());
    for (std::size_t i = 0; i < found.order.size(); ++i)
        places[nodes[found.order[i]].index] = i;
    std::string text;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ir::ValueId value) {
                const auto maker = ir::ValueRef(graph, value).producer();
                if (maker && places[maker->id().index] >= places[node.id().index])
                    text += std::string(ir::ValueRef(graph, value).name()) + " goes back\n";
            });
    return text;
}

/// Regions that are not inside their parent, or overlap with the one before.
std::string overlapping(const structure::Structure &found)
{
    std::string text;
    std::vector<std::uint32_t> reached(found.regions.size(), 0); // by region: where its last child ends
    for (std::size_t i = 1; i < found.regions.size(); ++i) {
        const structure::Region &region = found.regions[i];
        const structure::Region &parent = found.regions[region.parent];
        if (region.parent >= i || region.begin >= region.end || region.begin < parent.begin || region.end > parent.end
            || region.begin < std::max(reached[region.parent], parent.begin))
            text += "region " + std::to_string(i) + " is out of place\n";
        reached[region.parent] = region.end;
    }
    return text;
}

std::string regions(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    const ir::Graph &graph = model.functions.at(0).graph;
    const structure::Structure found = structure::structureOf(graph, ir::Graph::body);
    return printStructure(graph, ir::Graph::body, found) + goingBack(graph, found) + overlapping(found);
}

const bool structureCases = forEachCase("Structure", "structure", regions);

/// Convolutions one behind the other, of which every tenth adds what there was six before: long, and never the same.
ir::Model longChain(std::uint32_t nodes)
{
    std::string text = "(%x: float32[2]) {\n";
    std::string before = "x";
    for (std::uint32_t i = 0; i < nodes; ++i) {
        const std::string name = "v" + std::to_string(i);
        text += "  %" + name + " = ";
        if (i % 10 == 9)
            text += "aten::add.Tensor(self=%" + before + ", other=%v" + std::to_string(i - 6) + ")\n";
        else
            text += std::string(i % 7 == i % 3 ? "aten::sin" : "aten::relu") + "(self=%" + before + ")\n";
        before = name;
    }
    return modelOf(text + "  return %" + before + "\n}");
}

TEST(Structure, timeGrowsWithTheNodes)
{
    const auto seconds = [](const ir::Model &model) {
        const auto start = std::chrono::steady_clock::now();
        (void)structure::structureOf(model.functions.at(0).graph, ir::Graph::body);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const ir::Model small = longChain(4000), large = longChain(32000);
    (void)seconds(small);
    EXPECT_LT(seconds(large), 30 * seconds(small) + 0.05);
}

TEST(Structure, isEmptyForAnEmptyGraph)
{
    const ir::Model model = modelOf("(%x: float32[2]) { return %x }");
    const structure::Structure found = structure::structureOf(model.functions.at(0).graph, ir::Graph::body);
    EXPECT_EQ(found.regions.size(), 1u);
    EXPECT_TRUE(found.order.empty());
}

} // namespace
} // namespace cutaway::test
