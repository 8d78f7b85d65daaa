// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cases are texts as torch.fx prints graphs. The result is the graph, what was noted, and with `signature: yes` the
// inputs, outputs and symbols. With `types: yes` it is the type that analysis gives to each value, and "recorded" where
// that is the text's alone.
#include "core/analysis/analysis.h"
#include "core/base/formatted.h"
#include "core/formats/format.h"
#include "core/formats/graph_text/extent.h"
#include "core/formats/graph_text/log_prefix.h"
#include "core/formats/graph_text/reader.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/graph_cases.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::formats::graph_text {
namespace {

/// The text of a case without the comments before it.
std::string textOf(std::string_view text)
{
    while (text.starts_with("//") || text.starts_with("\n"))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return std::string(text);
}

std::string typesOf(const ir::Model &model)
{
    const ir::Function &function = model.functions.front();
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    std::string text;
    for (const ir::NodeRef node : ir::nodesOf(function.graph))
        for (const ir::ValueRef output : node.outputs())
            text += formatted("{} {}: {}{}\n", output.name(), node.fullName(), ops::print(analysis.shapes.of(output)),
                              analysis.shapes.isRecorded[output.id().index] ? " recorded" : "");
    for (const ir::Diagnostic &diagnostic : analysis::findings(analysis))
        text += diagnostic.code + ": " + diagnostic.message + "\n";
    return text;
}

std::string signatureOf(const ir::Model &model)
{
    const ir::Context &context = *model.context;
    std::string text;
    for (const ir::FunctionInput &input : model.functions.front().inputs)
        text +=
            formatted("input {}: kind {}, target \"{}\"{}\n", context.text(input.name), static_cast<int>(input.kind),
                      context.text(input.target), input.tensor ? ", a tensor of the model" : "");
    for (const ir::FunctionOutput &output : model.functions.front().outputs)
        text += formatted("output {}: kind {}, target \"{}\"\n", context.text(output.name),
                          static_cast<int>(output.kind), context.text(output.target));
    for (const ir::Symbol &symbol : model.symbols)
        text += formatted("symbol {}: {} to {}\n", symbol.name, symbol.min ? std::to_string(*symbol.min) : "?",
                          symbol.max ? std::to_string(*symbol.max) : "?");
    return text;
}

std::string printed(const Result<ir::Model> &model, const test::GraphCase &given)
{
    if (!model)
        return "error: " + model.error().text();
    EXPECT_TRUE(ir::verify(*model).empty());
    EXPECT_EQ(model->format, "fx-text");
    if (given.option("types") == "yes")
        return typesOf(*model);
    std::string text = ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading);
    if (given.option("signature") == "yes")
        text += signatureOf(*model);
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        text += diagnostic.code + ": " + diagnostic.message + "\n";
    return text;
}

const bool areRegistered = test::forEachCase("GraphText", "formats_graph_text", [](const test::GraphCase &given) {
    const tests::TemporaryFile file(textOf(given.graphs[0]), ".txt");
    return printed(formats::open(file.path()), given);
});

struct StartRow {
    const char *name;
    std::string_view line;
    std::optional<std::size_t> column;
};

class StartOfAGraph : public testing::TestWithParam<StartRow> { };

TEST_P(StartOfAGraph, isFoundInALine)
{
    const auto start = graphStart(GetParam().line);
    EXPECT_EQ(start ? std::optional(start->column) : std::nullopt, GetParam().column);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, StartOfAGraph,
    testing::Values(StartRow{"aClass", "class GraphModule(torch.nn.Module):", 0},
                    StartRow{"aClassOfALambda", "class <lambda>(torch.nn.Module):  ", 0},
                    StartRow{"anIndentedClass", "    class GraphModule(torch.nn.Module):", 4},
                    StartRow{"aClassBehindTheNameOfAFile", " /lib/fx/lazy.py class GraphModule(torch.nn.Module):", 17},
                    StartRow{"aQuotedClass", "\"class GraphModule(torch.nn.Module):", std::nullopt},
                    StartRow{"aClassOfSomethingElse", "class Model(Base):", std::nullopt},
                    StartRow{"aClassWithoutAName", "class (torch.nn.Module):", std::nullopt},
                    StartRow{"aFunction", "def forward(self, x):", 0},
                    StartRow{"aMethodOfSomebodysClass", "    def forward(self, x):", std::nullopt},
                    StartRow{"aListing", "graph():", 0}, StartRow{"aProgram", "ExportedProgram:", 0},
                    StartRow{"aTable", "opcode         name    target    args    kwargs", 0},
                    StartRow{"aSentence", "opcode and name are columns", std::nullopt},
                    StartRow{"nothing", "", std::nullopt}),
    [](const auto &row) { return row.param.name; });

TEST(GraphText, endsWhereTheMarginIsReached)
{
    constexpr std::string_view graph = "class A(torch.nn.Module):\n    def forward(self, x):\n        return x";
    EXPECT_EQ(lengthOfGraph(std::string(graph) + "\n\n# graph id: 3\n"), graph.size());
    EXPECT_EQ(lengthOfGraph("no graph"), 0);
    const auto graphs = graphsIn("text\n" + std::string(graph) + "\nmore\n" + std::string(graph));
    ASSERT_EQ(graphs.size(), 2);
    EXPECT_EQ(graphs[0].line, 2);
    EXPECT_EQ(graphs[1].line, 6);
    EXPECT_EQ(graphs[1].length, graph.size());
}

TEST(GraphText, readsPrefixesOfLogs)
{
    const auto prefix = logPrefix("[rank3]:V1127 09:41:29.112000 2 torch/_dynamo/output_graph.py:2936] [0/1_2] "
                                  "[__graph_code]     x");
    ASSERT_TRUE(prefix);
    EXPECT_EQ(prefix->rank, "3");
    EXPECT_EQ(prefix->place, "torch/_dynamo/output_graph.py:2936");
    EXPECT_EQ(prefix->compile, "0/1_2");
    EXPECT_EQ(prefix->artifact, "__graph_code");
    const auto old = logPrefix("[2023-11-27 09:41:29,112] [0/0] torch._dynamo.output_graph: [DEBUG] TRACED GRAPH");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->place, "torch._dynamo.output_graph");
    EXPECT_EQ(old->compile, "0/0");
    EXPECT_FALSE(logPrefix("V1127 is a date"));
    EXPECT_FALSE(logPrefix("[1, 2, 3]"));
    EXPECT_FALSE(logPrefix(""));
    EXPECT_EQ(withoutLogMarks("a\n\x1b[31mred\x1b[0m\n"), "a\nred\n");
    EXPECT_EQ(withoutLogMarks("a\n"), std::nullopt);
}

TEST(GraphText, countsLinesFromTheFirstOne)
{
    const auto model = readText("class A(torch.nn.Module):\n    def forward(self, x):\n        y = torch.relu(z)\n"
                                "        return y\n",
                                "run.log", {}, 100);
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_EQ(model->diagnostics.size(), 1);
    EXPECT_TRUE(model->diagnostics[0].message.starts_with("line 102: ")) << model->diagnostics[0].message;
    EXPECT_EQ(model->path, "run.log");
    const auto nothing = readText("x = 1\n", "run.log", {}, 7);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().where, "line 7");
}

std::string graphOf(const std::string &statements)
{
    return "class A(torch.nn.Module):\n    def forward(self, x):\n" + statements + "        return x\n";
}

TEST(GraphText, keepsOnWhereOneLineIsHostile)
{
    for (const std::string &line :
         {"a = " + std::string(100'000, '('), "a = torch.relu(" + std::string(100'000, '9') + ")",
          "a = b[" + std::string(100'000, '[') + "]"}) {
        const auto model = readText(graphOf("        " + line + "\n        c = torch.relu(x)\n"), "");
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_TRUE(ir::verify(*model).empty());
        EXPECT_FALSE(model->diagnostics.empty());
        EXPECT_EQ(model->functions[0].graph.nodeCount(), 2);
    }
}

TEST(GraphText, aWeightInTooManyModulesTellsNone)
{
    const auto scopes = [](std::size_t depth) {
        std::string name = "L_self";
        for (std::size_t level = 0; level < depth; ++level)
            name += "_modules_a";
        const auto model = readText(formatted("class A(torch.nn.Module):\n"
                                              "    def forward(self, {0}_parameters_w_: \"f32[2]\"):\n"
                                              "        a: \"f32[2]\" = torch.relu({0}_parameters_w_)\n"
                                              "        return a\n",
                                              name),
                                    "");
        EXPECT_TRUE(model) << model.error().text();
        return model ? model->context->text(ir::NodeRef(model->functions[0].graph, ir::NodeId{0}).scope().path).size()
                     : 0;
    };
    EXPECT_EQ(scopes(2), std::string_view("a.a").size());
    EXPECT_EQ(scopes(1000), 0);
}

TEST(GraphText, stopsAtItsLimits)
{
    std::string nested, doubled = graphOf("        a = self.c0(x)\n");
    for (std::size_t level = 0; level < 400; ++level) {
        const std::string indent(4 * level, ' ');
        nested += indent + formatted("class c{}(torch.nn.Module):\n{}    def forward(self, x):\n", level, indent);
    }
    EXPECT_EQ(readText(nested, "").error().message, "classes are nested deeper than 256");
    for (std::size_t level = 0; level < 40; ++level) {
        const std::string indent(4 * level + 4, ' ');
        doubled += indent + formatted("class c{}(torch.nn.Module):\n", level) + indent + "    def forward(self, x):\n";
        for (const char name : {'a', 'b'})
            doubled += indent + formatted("        {} = self.c{}(x)\n", name, level + 1);
        doubled += indent + "        return b\n";
    }
    EXPECT_EQ(readText(doubled, "").error().message, "the text asks for more than 300000 nodes");
    std::string copied = "        t = torch.foo(x)\n        g = t[999]\n";
    for (int i = 0; i < 2000; ++i)
        copied += formatted("        r{} = torch.bar(t, t, t)\n", i);
    EXPECT_FALSE(readText(graphOf(copied), ""));
    std::string uses, inputs;
    for (int i = 0; i < 1000; ++i) {
        uses += formatted("        a{} = f(c, x)\n", i);
        inputs += ", " + std::string(200, 'n') + std::to_string(i);
    }
    const std::string subgraph =
        "    class c(torch.nn.Module):\n        def forward(self" + inputs + "):\n            return None\n";
    EXPECT_EQ(readText(graphOf("        c = self.c\n" + uses) + subgraph, "").error().message,
              "the text uses subgraphs so often that their code is more than any known graph has");
}

} // namespace
} // namespace cutaway::formats::graph_text
