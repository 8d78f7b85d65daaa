// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"

#include "compared.h"
#include "tests/core/graph_cases.h"

namespace cutaway::test {
namespace {

std::string compared(const std::string &before, const std::string &after, const diff::Options &options = {})
{
    const Analysed a(parsed(before)), b(parsed(after));
    if (a.model.functions.empty() || b.model.functions.empty())
        return "no graph";
    const diff::Side sideA = a.side(), sideB = b.side();
    const diff::Difference difference = diff::compare(sideA, sideB, options);
    std::string text = print(difference, sideA.graph(), sideB.graph());
    for (const diff::NotCompared &each : difference.notCompared)
        text += "? " + (each.nodes.a ? nameOf(sideA.graph(), *each.nodes.a) : "signature") + ": " + each.what + ": "
            + each.reason + "\n";
    for (const diff::NotProven &each : difference.notProven)
        text += "not proven: " + (each.nodes.a ? nameOf(sideA.graph(), *each.nodes.a) + " " : "") + each.what + ": "
            + each.reason + "\n";
    for (const diff::Rounding &each : difference.roundings)
        text += (difference.isOtherPrecision() ? "only rounded: " : "rounded: ") + std::to_string(each.weights)
            + " weight, " + std::string(ir::name(each.before)) + " -> " + std::string(ir::name(each.after))
            + (each.largestError > 1e-4 ? ", by more than 1e-4\n" : "\n");
    if (const auto &quantized = difference.quantized)
        text += "only quantized: " + std::to_string(quantized->quantizing) + " and back "
            + std::to_string(quantized->dequantizing) + " around " + std::to_string(quantized->readers) + ", "
            + std::to_string(quantized->weights) + " weights of " + (quantized->isInB ? "B" : "A") + "\n";
    return text.empty() ? "nothing differs" : text;
}

const bool compareCases = forEachCase(
    "Compare", "diff", [](const GraphCase &given) { return compared(given.graphs.at(0), given.graphs.at(1)); });

const bool namelessCases = forEachCase("CompareWithoutNames", "diff", [](const GraphCase &given) {
    return compared(given.graphs.at(0), given.graphs.at(1), {.useNames = false});
});

const bool sameCases = forEachCase("CompareWithItself", "diff", [](const GraphCase &given) {
    const Analysed one(parsed(given.graphs.at(0))), same(parsed(given.graphs.at(0)));
    const diff::Side a = one.side(), b = same.side();
    EXPECT_EQ(print(diff::compare(a, b), a.graph(), b.graph()), "");
    return given.expected;
});

TEST(Compare, takesAssumedSizesForNoDifference)
{
    const std::string body = " { %a = aten::relu(self=%x) return %a }";
    ir::Model open = parsed("graph @forward(%x: float32[x_0, 2])" + body);
    const Analysed fixed(parsed("graph @forward(%x: float32[3, 2])" + body)), told(open);
    const diff::Side a = fixed.side(), b = told.side();
    EXPECT_EQ(print(diff::compare(a, b), a.graph(), b.graph()),
              "~ signature: input 0 float32[3, 2] -> float32[x_0, 2]\n");
    open.diagnose(ir::Severity::Info, std::string(analysis::assumedInput), "a test");
    const Analysed assumed(open);
    const diff::Side c = assumed.side();
    EXPECT_EQ(print(diff::compare(a, c), a.graph(), c.graph()), "");
}

TEST(Compare, functionsThatCallThemselvesEnd)
{
    const auto calling = [](const char *op) {
        return "graph @forward(%x: float32[2]) { %a = mine::f(%x, graph @f) return %a }\n"
               "graph @f(%x: float32[2]) { %a = mine::g(%x, graph @g) %b = aten::"
            + std::string(op) + "(self=%a) return %b }\n"
            + "graph @g(%x: float32[2]) { %a = mine::f(%x, graph @f) return %a }";
    };
    EXPECT_EQ(compared(calling("sin"), calling("sin")), "nothing differs");
    const std::string differs = compared(calling("sin"), calling("exp"));
    EXPECT_TRUE(differs.contains("with another body")) << differs;
}

TEST(Compare, functionsThatAreCalledTooDeepAreNotSaidToBeEqual)
{
    std::string deep = "graph @forward(%x: float32[2]) { %a = mine::f(%x, graph @f0) return %a }\n";
    for (int i = 0; i < 5000; ++i)
        deep += "graph @f" + std::to_string(i) + "(%x: float32[2]) { %a = mine::f(%x, graph @f" + std::to_string(i + 1)
            + ") return %a }\n";
    deep += "graph @f5000(%x: float32[2]) { %a = aten::sin(self=%x) return %a }";
    const std::string text = compared(deep, deep);
    EXPECT_TRUE(text.contains("the function: calls are nested too deep")) << text;
}

TEST(Compare, foldsUpTheModules)
{
    const std::string graph = R"(graph @forward(%x: float32[2]) {
        %a = aten::sin(self=%x) in layer1.0 %b = aten::relu(self=%a) in layer1.1 %c = aten::exp(self=%b) in head
        return %c })";
    std::string other = graph;
    other.replace(other.find("relu"), 4, "silu");
    other.replace(other.find("exp"), 3, "sin");
    const Analysed a(parsed(graph)), b(parsed(other));
    const diff::Side sideA = a.side(), sideB = b.side();
    const std::vector<diff::ModuleChanges> expected{
        {"", 2, 0, 0}, {"head", 1, 0, 0}, {"layer1", 1, 0, 0}, {"layer1.1", 1, 0, 0}};
    EXPECT_EQ(diff::compare(sideA, sideB).modules, expected);
}

} // namespace
} // namespace cutaway::test
