// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Queries and the nodes that they find, tests/data/query/*.graph: a case is a line "? QUERY", asked of the file's
// graph.
#include "core/analysis/known_devices.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/query/answer.h"
#include "core/query/figures.h"
#include "core/request/given.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace cutaway::test {

extern const char *const dataFolder;

namespace {

/// "a, b" and a line for each thing that is not known.
std::string textOf(const query::Answer &answer, const ir::Graph &graph)
{
    std::vector<std::string> names;
    for (const ir::NodeId node : answer.nodes)
        names.push_back(ir::nameOf(ir::NodeRef(graph, node)));
    std::string text = (names.empty() ? "nothing" : joined(names, ", ")) + "\n";
    for (const query::NotKnown &notKnown : answer.notKnown)
        text += query::print(notKnown) + "\n";
    for (const std::string &name : answer.unnamed)
        text += "nothing is named " + name + "\n";
    return text;
}

/// Makes the nodes that the option `changed` names changed ones; without the option nothing is compared.
std::function<bool(ir::NodeId)> changesOf(const ir::Graph &graph, const std::string &names)
{
    if (names.empty())
        return {};
    return [&graph, names](ir::NodeId node) {
        return (" " + names + " ").contains(" " + ir::nameOf({graph, node}) + " ");
    };
}

/// The model's text and, behind the last line's "? ", the query.
std::pair<std::string, std::string> divided(const std::string &text)
{
    const std::size_t mark = text.rfind("\n?");
    if (mark == text.npos)
        return {text, ""};
    std::string query = text.substr(mark + 2, text.find('\n', mark + 2) - mark - 2);
    return {text.substr(0, mark), query.starts_with(' ') ? query.substr(1) : query};
}

std::string answerOf(const GraphCase &given)
{
    const auto [graph, text] = divided(given.graphs.front());
    const auto parsedQuery = query::parse(text);
    if (!parsedQuery)
        return query::printMistake(text, parsedQuery.error()) + "\n" + query::markedText(text, parsedQuery.error());
    ir::Model model = parsed(graph);
    if (model.functions.empty())
        return "no graph";
    std::vector<std::string> bindings;
    if (const std::string bind = given.option("bind"); !bind.empty())
        bindings.push_back(bind);
    const auto values = request::readGiven(model, ir::FunctionId{0}, bindings, {}).value();
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0}, values);
    std::optional<analysis::Roofline> roofline;
    if (const std::string device = given.option("device"); !device.empty())
        roofline = analysis::roofline(model, analysis, analysis::findDevice(device).value(), 0);
    symbolic::Bindings example;
    if (const std::string size = given.option("example"); !size.empty())
        example.emplace(size.substr(0, size.find('=')), std::stoll(size.substr(size.find('=') + 1)));
    const ir::Graph &nodes = model.at(analysis.function).graph;
    std::optional<node_data::NodeData> data;
    if (const std::string table = given.option("data"); !table.empty())
        data = node_data::dataOf(model.at(analysis.function), node_data::parseTable(table).value());
    return textOf(query::answerTo(*parsedQuery,
                                  {.model = model,
                                   .analysis = analysis,
                                   .roofline = roofline ? &*roofline : nullptr,
                                   .example = example.empty() ? nullptr : &example,
                                   .diagnostics = model.diagnostics,
                                   .data = data ? &*data : nullptr,
                                   .isChanged = changesOf(nodes, given.option("changed"))}),
                  nodes);
}

const bool queryCases = forEachCase("Query", "query", answerOf);

/// Without a case nobody would notice that a property has a row and no answer.
TEST(QueryProperties, haveACaseEach)
{
    std::set<query::Property> asked;
    for (const auto &file : std::filesystem::directory_iterator(formatted("{}/query", dataFolder)))
        for (const GraphCase &each : readCases(file.path().string()).cases)
            if (const auto parsedQuery = query::parse(divided(each.graphs.front()).second))
                std::ranges::copy(query::propertiesIn(*parsedQuery), std::inserter(asked, asked.end()));
    for (const query::PropertyRow &row : query::properties())
        EXPECT_TRUE(asked.contains(row.property)) << row.name;
}

/// docs/query.md says what each means.
TEST(QueryProperties, haveALineEach)
{
    std::stringstream page;
    page << std::ifstream(formatted("{}/../../docs/query.md", dataFolder)).rdbuf();
    for (const query::Subject subject : {query::Subject::Node, query::Subject::Model})
        for (const query::PropertyRow &row : query::properties(subject))
            EXPECT_TRUE(page.str().contains(formatted("`{}", row.name))) << row.name;
}

/// A chain of additions whose every tenth result is read again at the end of the next ten, in a module each.
std::string longChain(int nodes)
{
    std::string text = "model \"m\"\n";
    for (int i = 0; i < nodes; i += 10)
        text += formatted("scope layer{}\n", i / 10);
    text += "graph @forward(%n0: float32[2]) {\n";
    for (int i = 1; i <= nodes; ++i)
        text += formatted("  %n{} = aten::add.Tensor(self=%n{}, other=%n{}) in layer{}\n", i, i - 1,
                          i < 11 ? 0 : (i - 1) / 10 * 10 - 10, (i - 1) / 10);
    return text + formatted("  return %n{}\n}}\n", nodes);
}

/// Ten times the nodes take ten times as long, not a hundred times: the paths are walked once.
TEST(Query, isAnsweredInLinearTime)
{
    const auto secondsFor = [](int nodes) {
        const ir::Model model = parsed(longChain(nodes));
        const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
        const auto all = query::parse(formatted("between:n1..n{} and upstream:n{} downstream:n2 in:n* scope:layer1* "
                                                "op:add other_flops>=2 and shape:[...] not memory>1G",
                                                nodes, nodes));
        const std::clock_t begin = std::clock(); // other programs run beside this one
        EXPECT_GT(query::answerTo(*all, {.model = model, .analysis = analysis}).nodes.size(), 0u);
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    const double few = secondsFor(2'000);
    EXPECT_LT(secondsFor(20'000), 40 * few + 0.05);
}

TEST(Query, limitsDecideWhereTheyCan)
{
    using Sign = query::Comparison::Sign;
    using query::Match;
    const query::Limits some{5, 10};
    EXPECT_EQ(some.is(Sign::Greater, 4), Match::Yes);
    EXPECT_EQ(some.is(Sign::Greater, 5), Match::Unknown);
    EXPECT_EQ(some.is(Sign::Greater, 10), Match::No);
    EXPECT_EQ(some.is(Sign::GreaterEqual, 5), Match::Yes);
    EXPECT_EQ(some.is(Sign::GreaterEqual, 11), Match::No);
    EXPECT_EQ(some.is(Sign::Less, 11), Match::Yes);
    EXPECT_EQ(some.is(Sign::Less, 10), Match::Unknown);
    EXPECT_EQ(some.is(Sign::Less, 5), Match::No);
    EXPECT_EQ(some.is(Sign::LessEqual, 10), Match::Yes);
    EXPECT_EQ(some.is(Sign::Equal, 7), Match::Unknown);
    EXPECT_EQ(some.is(Sign::Equal, 11), Match::No);
    EXPECT_EQ(some.is(Sign::NotEqual, 11), Match::Yes);
    EXPECT_EQ((query::Limits{5, 5}).is(Sign::Equal, 5), Match::Yes);
}

} // namespace
} // namespace cutaway::test
