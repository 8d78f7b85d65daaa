// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The interactive page: one file that loads nothing, and its data. tests/browser reads it as a reader does.
#include "core/base/formatted.h"
#include "core/layout/mark.h"
#include "core/report/page/page.h"
#include "core/run/timing.h"
#include "tests/core/ir/parsed.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace cutaway::test {
namespace {

using nlohmann::json;

constexpr const char *twoBlocks = R"(
    path "net.pt2"  format "pt2"
    storage 0: 400 bytes missing "a test"
    tensor @w: float32[8, 8] parameter in storage 0
    scope a class "Block"
    scope b class "Block"
    graph @forward(%a0: float32[2, 8]) {
      weight %w: float32[8, 8] = @w
      %a1: float32[2, 8] = aten::linear.default(input=%a0, weight=%w) in a
      %a2: float32[2, 8] = aten::relu.default(self=%a1) in a
      %a3: float32[2, 8] = aten::linear.default(input=%a2, weight=%w) in b
      %a4: float32[2, 8] = aten::relu.default(self=%a3) in b
      %a5 = mine::odd(%a4)
      return %a5
    })";

std::string pageOf(const ir::Model &model)
{
    const analysis::Given given;
    return report::interactivePage({model, ir::FunctionId{0}, given, {nullptr, nullptr}}).value();
}

json jsonIn(const std::string &page, std::string_view id)
{
    const std::string start = formatted(R"(<script type="application/json" id="{}">)", id);
    const auto from = page.find(start) + start.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// The data of the picture, with the sections of each part behind it.
json dataOf(const std::string &page)
{
    json data = jsonIn(page, "data");
    const json inspector = jsonIn(page, "sections");
    data["sections"] = inspector["sections"];
    for (std::size_t i = 0; i < data["parts"].size(); ++i)
        data["parts"][i].push_back(inspector["parts"].at(i));
    return data;
}

std::string textAt(const json &data, const json &index) { return data["texts"][index.get<std::size_t>()]; }

/// The part with this name, or what it is.
json partCalled(const json &data, const std::string &name)
{
    const auto found = std::ranges::find_if(data["parts"], [&](const json &part) {
        return textAt(data, part[2]) == name || textAt(data, part[3]) == name;
    });
    return found == data["parts"].end() ? json() : *found;
}

/// A line for each row of a part's inspector: key, "=", text and type.
std::string rowsOf(const json &data, const json &part)
{
    std::string all;
    for (const json &index : part[5]) {
        const json &section = data["sections"][index.get<std::size_t>()];
        for (std::size_t i = 1; i < section.size(); i += 4)
            all += textAt(data, section[i]) + "=" + textAt(data, section[i + 1]) + textAt(data, section[i + 2]) + "\n";
    }
    return all;
}

TEST(Page, loadsNothing)
{
    const std::string page = pageOf(parsed(twoBlocks));
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(page.contains("default-src 'none'"));
    EXPECT_FALSE(std::regex_search(
        page, std::regex("(?:src|href|action)=|@import|url\\((?!#)|https?://(?!www\\.w3\\.org/2000/svg)")));
}

TEST(Page, showsThePictureWithoutScripts)
{
    const std::string page = pageOf(parsed(twoBlocks));
    const auto from = page.find("<noscript><p>"), to = page.find("</noscript>", from);
    ASSERT_NE(from, std::string::npos);
    EXPECT_TRUE(page.substr(from, to - from).contains("<svg"));
}

TEST(Page, saysHowAPictureOfManyBoxesIsMadeWithoutScripts)
{
    // Nodes in such a number would be drawn in parts, and inputs that look alike as one box.
    std::string inputs, operands;
    for (int i = 0; i < 2000; ++i) {
        inputs += formatted("{}%x{}: float32[{}]", i == 0 ? "" : ", ", i, i + 1);
        operands += formatted("{}%x{}", i == 0 ? "" : ", ", i);
    }
    const std::string page =
        pageOf(parsed("graph @forward(" + inputs + ") { %y = mine::all(" + operands + ") return %y }"));
    EXPECT_TRUE(
        page.contains("A picture of these 2,002 boxes that needs none is made by <code>cutaway-cli draw</code>"));
    EXPECT_FALSE(page.contains("<svg"));
    EXPECT_EQ(dataOf(page)["planes"][0][2].size(), 2002U) << "scripts show them";
}

TEST(Page, hasEqualBlocksOnce)
{
    const json data = dataOf(pageOf(parsed(twoBlocks)));
    ASSERT_EQ(data["planes"].size(), 3u) << "the function, a and b";
    EXPECT_EQ(data["planes"][1][0], data["planes"][2][0]);
    EXPECT_EQ(data["shapes"].size(), 2u);
    std::vector<std::string> texts = data["texts"];
    std::ranges::sort(texts);
    EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end());
}

TEST(Page, drawsEachPartInThePlaneOfItsParent)
{
    const json data = dataOf(pageOf(parsed(twoBlocks)));
    std::vector<int> times(data["parts"].size(), 0);
    for (const json &plane : data["planes"])
        for (const json &part : plane[2])
            if (part != -1)
                ++times[part.get<std::size_t>()];
    times[0] = 1;
    EXPECT_EQ(std::ranges::count(times, 1), std::ssize(times));
    for (const json &plane : data["planes"]) {
        const json &shape = data["shapes"][plane[0].get<std::size_t>()];
        EXPECT_EQ(shape[2].size(), 6 * plane[2].size());
        EXPECT_EQ(data["lines"][plane[1].get<std::size_t>()].size(), plane[2].size());
        for (const json &edge : shape[3])
            EXPECT_LT(edge[0], plane[2].size());
    }
}

TEST(Page, saysWhatIsKnownOfANode)
{
    const json data = dataOf(pageOf(parsed(twoBlocks)));
    const json part = partCalled(data, "aten::linear.default");
    ASSERT_FALSE(part.is_null());
    EXPECT_EQ(part[4][0], 2 * 2 * 8 * 8);
    EXPECT_EQ(part[4][2], 64) << "parameters";
    const std::string all = rowsOf(data, part);
    for (const char *row : {"module=a\n", "input=a0float32 [2, 8]\n", "FLOPs=256 FLOP\n", "a1=float32 [2, 8]\n"})
        EXPECT_TRUE(all.contains(row)) << row << all;
}

TEST(Page, tellsAnUnknownFigureFromNone)
{
    const json data = dataOf(pageOf(parsed(twoBlocks)));
    EXPECT_TRUE(partCalled(data, "mine::odd")[4][0].is_null());
    EXPECT_EQ(partCalled(data, "aten::relu.default")[4][0], 0);
}

/// One branch has a linear more than the other: a run has at least one of them.
TEST(Page, givesABranchWhoseCostIsNotKnownItsLowerBound)
{
    const json data = dataOf(pageOf(parsed(R"(
        graph @forward(%x: float32[2, 8], %w: float32[8, 8], %flag: bool) {
          %z: float32[2, 8] = prim::If(%flag)
          region () {
            %a: float32[2, 8] = aten::linear(input=%x, weight=%w)
            return %a
          }
          region () {
            %b: float32[2, 8] = aten::linear(input=%x, weight=%w)
            %c: float32[2, 8] = aten::linear(input=%b, weight=%w)
            return %c
          }
          return %z
        })")));
    EXPECT_EQ(partCalled(data, "b")[4][0], 256);
    EXPECT_EQ(partCalled(data, "z")[4][0], json({256}));
}

TEST(Page, countsASharedParameterOnce)
{
    const json data = dataOf(pageOf(parsed(twoBlocks)));
    EXPECT_EQ(data["parts"][0][4][2], 64);
}

struct Hostile {
    const char *name, *text;
};

class PageOfHostileNames : public ::testing::TestWithParam<Hostile> { };

TEST_P(PageOfHostileNames, keepsThemTexts)
{
    const std::string name = GetParam().text;
    ir::Model model = parsed(twoBlocks);
    model.path = "dir/" + name;
    ir::Graph &graph = model.functions[0].graph;
    for (const ir::NodeId node : graph.at(ir::Graph::body).nodes)
        for (const ir::ValueId value : graph.at(node).outputs)
            graph.setName(value, model.context->name(name + std::to_string(value.index)));
    const std::string page = pageOf(model);
    EXPECT_EQ(page.find("<b>hostile"), std::string::npos);
    const auto count = [&](std::string_view text) {
        std::size_t found = 0;
        for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("</script>"), 3u);
    EXPECT_EQ(count("<!--"), 0u);
    const json data = dataOf(page);
    EXPECT_EQ(data["planes"].size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PageOfHostileNames,
    ::testing::Values(Hostile{"endOfScript", "</script><b>hostile"}, Hostile{"comment", "<!--<script><b>hostile"},
                      Hostile{"quotes", "\"'><b>hostile"}, Hostile{"lineSeparator", "a\u2028\u2029<b>hostile"},
                      Hostile{"backslashes", "\\u003c\\<b>hostile"}, Hostile{"noUtf8", "\xff\xfe<b>hostile"}),
    [](const auto &row) { return std::string(row.param.name); });

class PageOfStates : public ::testing::Test {
protected:
    PageOfStates()
        : history(std::make_shared<const ir::Model>(parsed(R"(
            graph @forward(%x: float32[2]) {
              %a: float32[2] = aten::dropout(input=%x, p=0.5, train=false)
              %r: float32[2] = aten::relu(self=%a)
              %n: float32[2] = aten::neg(self=%x)
              return %r
            })")),
                  ir::FunctionId{0})
    {
        history.run(*passes::parsePipeline("dead-code,dead-code,remove-identities"));
        EXPECT_FALSE(history.failure());
        page = pageOf(history);
        data = dataOf(page);
    }

    static std::string pageOf(const passes::History &history)
    {
        const analysis::Given given;
        return report::interactivePage({*history.modelAfter(0), ir::FunctionId{0}, given, {nullptr, nullptr}},
                                       {&history})
            .value();
    }

    passes::History history;
    std::string page;
    json data;
};

TEST_F(PageOfStates, areThoseThatDiffer)
{
    EXPECT_EQ(data["states"], json({"input file", "1. dead-code", "3. remove-identities"}));
    EXPECT_EQ(data["marks"].size(), 3u);
}

TEST_F(PageOfStates, haveTheFiguresOfTheLastAtTheTop)
{
    EXPECT_TRUE(page.contains("<b>1</b> node")) << page.substr(page.find("<header>"), 600);
    EXPECT_TRUE(page.contains("<span>figures of 3. remove-identities</span>"));
}

TEST_F(PageOfStates, areNotSteppedThroughWherePassesChangedNothing)
{
    passes::History unchanged(history.modelAfter(3), ir::FunctionId{0});
    unchanged.run(*passes::parsePipeline("dead-code"));
    EXPECT_EQ(dataOf(pageOf(unchanged))["states"], json::array());
}

TEST_F(PageOfStates, markWhatAStepRemoved)
{
    const auto marked = [&](std::size_t state, int mark) {
        std::vector<std::string> operators;
        const json &boxes = data["marks"][state][0];
        for (std::size_t i = 0; i < boxes.size(); i += 4)
            if (boxes[i + 2] == mark) {
                const int part = data["planes"][boxes[i].get<std::size_t>()][2][boxes[i + 1].get<std::size_t>()];
                operators.push_back(part < 0 ? "pill" : textAt(data, data["parts"][std::size_t(part)][3]));
            }
        return operators;
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(marked(0, int(layout::Mark::Removed)), Texts());
    EXPECT_EQ(marked(1, int(layout::Mark::Removed)), Texts{"aten::neg"});
    EXPECT_EQ(marked(2, int(layout::Mark::Removed)), Texts{"aten::dropout"});
    EXPECT_EQ(marked(2, int(layout::Mark::Absent)), Texts{"aten::neg"});
    EXPECT_EQ(marked(2, int(layout::Mark::Changed)), Texts{"aten::relu"});
}

/// The picture of all states has the texts of the last one.
TEST(Page, hasTheTextsOfEachState)
{
    const auto state = [](std::string_view rest) {
        return std::make_shared<const ir::Model>(parsed("graph @forward(%x: float32[2]) {\n"
                                                        "  %r: float32[2] = aten::relu(self=%x)\n"
                                                        + std::string(rest) + "}"));
    };
    passes::History history(state("  return %r\n"), ir::FunctionId{0});
    history.record({"longer", ""}, 0, state("  %n: float32[2] = aten::neg(self=%r)\n  return %n\n"));
    const analysis::Given given;
    const report::Subject subject{*history.modelAfter(0), ir::FunctionId{0}, given, {nullptr, nullptr}};
    const json data = dataOf(report::interactivePage(subject, {&history}).value());
    ASSERT_EQ(data["others"].size(), 2u);
    EXPECT_TRUE(data["others"][1].empty()) << data["others"][1];
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < data["others"][0].size(); i += 3)
        texts.push_back(textAt(data, data["others"][0][i + 2][1]));
    EXPECT_EQ(texts, std::vector<std::string>{"r"}) << "what goes out of the first state";
    EXPECT_TRUE(dataOf(pageOf(parsed(twoBlocks)))["others"].empty());
}

TEST_F(PageOfStates, tellWhatANodeReadsInTheLastStateThatHasIt)
{
    const std::string rows = rowsOf(data, partCalled(data, "aten::relu"));
    EXPECT_TRUE(rows.contains("self=xfloat32 [2]\n")) << rows;
    EXPECT_FALSE(rows.contains("self=a")) << "before dropout was removed\n" << rows;
}

/// The first linear and relu ran as one, the last node by itself, and something that is no node's.
class PageOfTimes : public ::testing::Test {
protected:
    PageOfTimes()
    {
        const auto took = [](double seconds) {
            protocol::Profile::NodeTime time;
            time.time = {seconds, seconds / 2, 2 * seconds, 5};
            return time;
        };
        run::Timing times;
        times.whole = {0.004, 0.004, 0.004, 5};
        times.conditions.libraries = {"torch 2.99 <cpu>"};
        times.nodes = {
            {{ir::NodeId{0}, ir::NodeId{1}}, took(0.002)}, {{ir::NodeId{4}}, took(0.001)}, {{}, took(0.0005)}};
        const ir::Model model = parsed(twoBlocks);
        const analysis::Given given;
        page = report::interactivePage({model, ir::FunctionId{0}, given, {nullptr, nullptr}},
                                       {.times = std::make_shared<const run::Timing>(times)})
                   .value();
        data = dataOf(page);
    }

    json timeOf(const std::string &name) { return partCalled(data, name)[4][2]; }

    std::string page;
    json data;
};

TEST_F(PageOfTimes, colourByThemAtFirst)
{
    EXPECT_EQ(data["colour"], 2);
    EXPECT_EQ(data["figures"][2], json({{"name", "measured time"}, {"unit", "s"}}));
    EXPECT_EQ(dataOf(pageOf(parsed(twoBlocks)))["colour"], -1) << "a page without times";
}

TEST_F(PageOfTimes, giveWhatRanAsOneToItsFirstNode)
{
    EXPECT_EQ(timeOf("a1"), 0.002);
    EXPECT_EQ(timeOf("a2"), 0);
    EXPECT_TRUE(timeOf("a3").is_null()) << "not timed";
    EXPECT_EQ(timeOf("a5"), 0.001);
    EXPECT_TRUE(
        rowsOf(data, partCalled(data, "a1")).contains("time, median=2 ms\n5 to 95 %=1 ms to 4 ms\nfused with=a2\n"))
        << rowsOf(data, partCalled(data, "a1"));
    EXPECT_TRUE(rowsOf(data, partCalled(data, "a2")).contains("ran with=a1\n")) << rowsOf(data, partCalled(data, "a2"));
}

/// Traces have times of the nodes in a branch, and none of the branch.
TEST(Page, givesABranchThatWasNotTimedTheTimesOfItsNodes)
{
    const ir::Model model = parsed("graph @forward(%x: float32[2], %flag: bool) {\n"
                                   "  %z: float32[2] = prim::If(%flag)\n"
                                   "  region () { %a: float32[2] = aten::relu(self=%x) return %a }\n"
                                   "  region () { %b: float32[2] = aten::neg(self=%x) return %b }\n"
                                   "  return %z\n}");
    protocol::Profile::NodeTime time;
    time.time.median = 0.002;
    run::Timing times;
    times.nodes = {{{ir::NodeId{1}}, time}};
    const analysis::Given given;
    const json data = dataOf(report::interactivePage({model, ir::FunctionId{0}, given, {nullptr, nullptr}},
                                                     {.times = std::make_shared<const run::Timing>(times)})
                                 .value());
    EXPECT_EQ(partCalled(data, "a")[4][2], 0.002);
    EXPECT_EQ(partCalled(data, "z")[4][2], 0.002);
    EXPECT_TRUE(partCalled(data, "b")[4][2].is_null());
}

TEST_F(PageOfTimes, tellOfWholeRunsAtTheTop)
{
    EXPECT_TRUE(page.contains("<b>4 ms</b> a run")) << page.substr(page.find("<header>"), 900);
    EXPECT_TRUE(page.contains("measured by torch 2.99 &lt;cpu&gt;"));
}

TEST(Page, endsWhenItIsCancelled)
{
    const ir::Model model = parsed(twoBlocks);
    const analysis::Given given;
    std::stop_source source;
    source.request_stop();
    const auto page =
        report::interactivePage({model, ir::FunctionId{0}, given, {nullptr, nullptr}}, {}, source.get_token());
    ASSERT_FALSE(page);
    EXPECT_EQ(page.error().kind, ErrorKind::Cancelled);
}

} // namespace
} // namespace cutaway::test
