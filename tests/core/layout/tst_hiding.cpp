// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/layout.h"

#include "core/ir/node_ref.h"
#include "core/layout/scene.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/layout/net.h"

#include <algorithm>
#include <chrono>

namespace cutaway::test {
namespace {

/// "hide: KIND, KIND" and "but: NODE".
layout::Hidden hiddenIn(const GraphCase &given, const ir::Graph &graph)
{
    layout::Hidden hidden;
    const std::string kinds = ", " + given.option("hide") + ", ";
    for (int i = 0; i < ops::categoryCount; ++i)
        if (const auto kind = static_cast<ops::Category>(i); kinds.contains(", " + std::string(ops::name(kind)) + ", "))
            hidden.kinds.insert(kind);
    const std::string but = given.option("but");
    for (const ir::NodeRef node : ir::nodesOf(graph))
        if (!but.empty() && node.name() == but)
            hidden.but = node;
    return hidden;
}

/// The picture with all boxes open, or none.
std::string pictured(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    layout::Options options;
    options.hidden = hiddenIn(given, model.functions.at(0).graph);
    const layout::Expansion expansion{.open = {}, .everything = given.option("open") != "none"};
    const auto diagram = layout::layOut(model, {}, expansion, layout::approximateTextWidth, options);
    if (!diagram)
        return diagram.error().text();
    EXPECT_EQ(faults(*diagram), "");
    std::string text = print(*diagram);
    for (const std::string &note : diagram->notes)
        text += note + "\n";
    return text;
}

const bool pictures = forEachCase("Layout", "layout/hiding", pictured);

/// Blocks of a transformer: %x{n+1} = %x{n} + f(norm(%x{n})).
Net residualBlocks(int blocks)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < blocks; ++i) {
        const auto normal = net.call("layer_norm", "", {x});
        const auto active = net.call("gelu", "", {net.call("linear", "", {normal})});
        x = net.call("add", "", {x, net.call("linear", "", {active})});
    }
    net.output(x);
    return net;
}

TEST(Hiding, takesTimeByTheNumberOfNodes)
{
    const Net net = residualBlocks(20'000);
    const ir::Function &function = net.model.functions[0];
    const layout::Outline outline = layout::outlineOf(function, false);
    const auto start = std::chrono::steady_clock::now();
    const layout::Remainder remainder =
        layout::remainderOf(function, outline, {.kinds = {ops::Category::Elementwise}, .but = {}});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    const auto most = std::ranges::max(remainder.reads, {}, &std::vector<layout::Read>::size);
    EXPECT_LE(most.size(), 4u) << "sums of sums have few sources";
    EXPECT_EQ(remainder.note, "hidden: elementwise (20,000 nodes)");
}

} // namespace
} // namespace cutaway::test
