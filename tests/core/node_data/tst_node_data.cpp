// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/node_data/node_data.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// A line per row: "conv1: latency 0.5, stage encoder".
std::string textOf(const Result<node_data::Table> &table)
{
    if (!table)
        return table.error().text();
    std::string text;
    for (const node_data::Table::Row &row : table->rows) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const bool isNumber = std::holds_alternative<double>(row.cells[i]);
            const bool isText = std::holds_alternative<std::string>(row.cells[i]);
            cells.push_back(table->columns[i]
                            + (isNumber     ? " "
                                   : isText ? " '"
                                            : " -")
                            + node_data::print(row.cells[i]) + (isText ? "'" : ""));
        }
        text += (text.empty() ? "" : "; ") + row.node + ": " + joined(cells, ", ");
    }
    return text;
}

struct TableRow {
    const char *name;
    std::string text, expected;
};

class NodeTable : public testing::TestWithParam<TableRow> { };

TEST_P(NodeTable, isReadAs) { EXPECT_EQ(textOf(node_data::parseTable(GetParam().text)), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Rows, NodeTable,
    testing::Values(
        TableRow{"csv", "node,latency,stage\na,0.5,enc\nb,2,dec\n",
                 "a: latency 0.5, stage 'enc'; b: latency 2, stage 'dec'"},
        TableRow{"csvOfSpreadsheets", "\xEF\xBB\xBFnode,t\r\na,1\r\n\r\nb,2", "a: t 1; b: t 2"},
        TableRow{"csvWithNames", "id,name,t\n7,a,1\n", "a: id 7, t 1"},
        TableRow{"quotesHoldCommasAndLines", "node,t\n\"a,\"\"b\"\"\",\"x\ny\"\nc,1\n", "a,\"b\": t 'x\ny'; c: t 1"},
        TableRow{"emptyFieldsSayNothing", "node,t,u\na,,1\n", "a: t -, u 1"},
        TableRow{"numbersAreWhole", "node,t\na,1 ms\nb,1e-3\nc,nan\n", "a: t '1 ms'; b: t 0.001; c: t nan"},
        TableRow{"csvWithoutNodes", "t,u\n1,2\n", "the first line of the table has no column 'node' (line 1)"},
        TableRow{"csvWithTooFewFields", "node,t\na\n", "1 fields, but 2 columns (line 2)"},
        TableRow{"openQuote", "node,t\n\"a,1\n", "a quote is not where a field begins or ends (line 2)"},
        TableRow{"quoteWithin", "node,t\na\"b,1\n", "a quote is not where a field begins or ends (line 2)"},
        TableRow{"textBehindAQuote", "node,t\n\"a\"b,1\n", "text stands behind a closing quote (line 2)"},
        TableRow{"jsonOfValues", R"({"a": 1, "b": "x", "c": true})", "a: value 1; b: value 'x'; c: value 'true'"},
        TableRow{"jsonOfColumns", R"({"a": {"t": 1}, "b": {"u": "x", "t": 2}})", "a: t 1, u -; b: t 2, u 'x'"},
        TableRow{"jsonOfRecords", R"([{"node": "a", "t": 1}, {"name": "b", "t": null}])", "a: t 1; b: t -"},
        TableRow{"jsonOfModelExplorer",
                 R"({"main": {"results": {"a": {"value": 1}, "b": {"value": 2}}, "gradient": []}})",
                 "a: value 1; b: value 2"},
        TableRow{"jsonOfOneGraph", R"({"results": {"a": {"value": 1}}, "thresholds": []})", "a: value 1"},
        TableRow{"jsonWithLists", R"({"a": [1, 2]})", "'value' of node 'a' is neither a number nor a text"},
        TableRow{"jsonWithoutNodes", R"([{"t": 1}])", "each item of the array has to be an object with a text 'node'"},
        TableRow{"brokenJson", R"({"a": )", "the table is not JSON, or cut short"},
        TableRow{"nothing", " \n", "the table is empty"}),
    [](const auto &row) { return row.param.name; });

const char *const graph = R"(model "m"
graph @forward(%x: float32[2]) {
  %a = aten::sin(self=%x) name "first"
  %b = aten::cos(self=%a) name "twice"
  %c = aten::neg(self=%b) name "twice"
  %d = aten::neg(self=%c)
  return %d
})";

TEST(NodeData, findsNodesByNameResultAndNumber)
{
    const ir::Model model = parsed(graph);
    const auto table = node_data::parseTable("node,t\nfirst,1\nc,3\n#3,4\nnone,5\n#9,6\ntwice,7\n");
    const node_data::NodeData data = node_data::dataOf(model.functions.front(), *table);
    std::vector<std::string> cells;
    for (const node_data::Cell &cell : data.columns.front().cells)
        cells.push_back(node_data::print(cell));
    EXPECT_EQ(joined(cells, "|"), "1||3|4");
    EXPECT_EQ(data.described, 3U);
    EXPECT_EQ(node_data::remarkOn({&data, 1}), "2 rows name no node: none, #9; 1 row names several nodes: twice");
}

TEST(NodeData, aColumnThatIsNotThereIsAnsweredWithThoseThatAre)
{
    const ir::Model model = parsed(graph);
    const node_data::NodeData data =
        node_data::dataOf(model.functions.front(), *node_data::parseTable("node,latency,stage\na,1,enc\n"));
    EXPECT_EQ(node_data::print(data.findColumn("stage")->cells.front()), "enc");
    EXPECT_EQ(data.findColumn("latncy").error().text(), "the node data has no column 'latncy'; there is latency");
}

TEST(NodeData, nodesAreCalledByWhatFindsThem)
{
    const ir::Model model = parsed(graph);
    EXPECT_EQ(joined(node_data::tableNames(model.functions.front().graph), "|"), "first|b|c|d");
}

TEST(NodeData, aRowMayBeOfAnotherFunction)
{
    const ir::Model one = parsed(graph), other = parsed(R"(model "m"
graph @other(%x: float32[2]) {
  %e = aten::sin(self=%x)
  return %e
})");
    const auto table = node_data::parseTable("node,t\na,1\ne,2\nf,3\n");
    const std::array both{node_data::dataOf(one.functions.front(), *table),
                          node_data::dataOf(other.functions.front(), *table)};
    EXPECT_EQ(node_data::remarkOn(both), "1 row names no node: f");
}

} // namespace
} // namespace cutaway::test
