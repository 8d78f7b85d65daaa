// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/survey/checks.h"
#include "core/survey/comparison.h"
#include "core/survey/measuring.h"
#include "core/survey/request.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::survey {
namespace {

TEST(SurveyRecord, comesBackFromItsLine)
{
    Record record;
    record.state = State::OutOfMemory;
    record.message = "a \"word\"\nand another";
    record.operators = {{"aten", "mm", "", 2, {}}, {"aten", "add", "Tensor", 1, 5}};
    record.symbols = {{"s0", 2, {}}};
    record.costs.flops = {{}, "2*s0", 4};
    record.checks = {{"convert:onnx", false, "no rule"}, {"lint:error", {}, ""}};
    record.bytesRead = 1234;
    record.measurement = {
        .backend = "torch@cuda:0", .state = Measurement::State::TimedOut, .message = "late", .p5 = 0.5};
    const std::string line = print(record);
    EXPECT_FALSE(line.contains('\n'));
    const auto back = parseRecord(line);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->state, record.state);
    EXPECT_EQ(back->message, record.message);
    EXPECT_EQ(back->operators.size(), 2u);
    EXPECT_EQ(back->operators[0].flops, std::nullopt);
    EXPECT_EQ(back->operators[1].flops, 5);
    EXPECT_EQ(back->symbols[0].min, 2);
    EXPECT_EQ(back->costs.flops.formula, "2*s0");
    EXPECT_EQ(back->checks[0].passed, false);
    EXPECT_EQ(back->checks[1].passed, std::nullopt);
    EXPECT_EQ(back->bytesRead, 1234);
    EXPECT_EQ(back->measurement->state, Measurement::State::TimedOut);
    EXPECT_EQ(back->measurement->seconds, std::nullopt);
    EXPECT_EQ(back->measurement->p5, 0.5);
    EXPECT_EQ(print(*back), line);
}

TEST(SurveyRecord, whatIsNoneIsRefused)
{
    for (const char *line : {"", "[]", "{}", "{\"state\":", "what"})
        EXPECT_FALSE(parseRecord(line)) << line;
}

TEST(SurveyRequest, isTheSameAfterItWasWrittenAndRead)
{
    for (const Request &request :
         {Request(), Request{.bindings = {"N=8"}, .inputs = {"x=2x3"}, .device = "l4", .asked = Look{{"convert:onnx"}}},
          Request{.limit = 5, .asked = Profile{"torch@cuda:0", 0.5}}, Request{.asked = NodeQuery{"has(op:*conv*)"}}}) {
        const std::string line = print(request);
        const auto back = parseRequest(line);
        ASSERT_TRUE(back) << line;
        EXPECT_EQ(back->asked.index(), request.asked.index()) << line;
        EXPECT_EQ(print(*back), line);
    }
}

TEST(SurveyRequest, thatAsksForNothingOrForSomethingUnknownIsRefused)
{
    const std::string start = R"({"bindings":[],"inputs":[],"device":"","limit":60)";
    EXPECT_TRUE(parseRequest(start + R"(,"look":{"checks":[]}})"));
    for (const std::string rest : {"}", R"(,"taste":{"checks":[]}})", R"(,"look":{}})", R"(,"profile":"torch"})"})
        EXPECT_FALSE(parseRequest(start + rest)) << rest;
}

TEST(SurveyRecord, aFileThatIsNotThereIsUnreadable)
{
    const Record record = surveyed("/nowhere/a.onnx", {});
    EXPECT_EQ(record.state, State::Unreadable);
    EXPECT_TRUE(record.message.contains("No such file")) << record.message;
}

TEST(SurveyRecord, hasTheOperatorsOfWhatTheMainGraphCalls)
{
    const auto open = [](const std::string &) {
        return ir::parseText("graph @main(%x: float32[2]) {\n"
                             "  %r: float32[2] = prim::CallFunction(function=graph @f, %x)\n"
                             "  return %r\n"
                             "}\n"
                             "function @f(%a: float32[2]) {\n"
                             "  %b: float32[2] = aten::relu(%a)\n"
                             "  %c: float32[2] = aten::relu(%b)\n"
                             "  return %c\n"
                             "}\n");
    };
    const Record record = surveyed("a.pt", {}, open);
    ASSERT_EQ(record.state, State::Read) << record.message;
    ASSERT_EQ(record.operators.size(), 1u);
    EXPECT_EQ(record.operators[0].name, "CallFunction");
    ASSERT_EQ(record.calledOperators.size(), 1u);
    EXPECT_EQ(record.calledOperators[0].name, "relu");
    EXPECT_EQ(record.calledOperators[0].count, 2);
    EXPECT_EQ(record.calledOperators[0].function, 1);
}

TEST(SurveyMeasurement, isOfABackendAndPerhapsADevice)
{
    for (const char *profile : {"torch", "torch/torchscript@cuda:0", "nobody"})
        EXPECT_TRUE(parseProfile(profile)) << profile;
    for (const char *profile : {"", "@cpu", "torch@", "evaluator"})
        EXPECT_FALSE(parseProfile(profile)) << profile;
}

TEST(SurveyMeasurement, ofAWorkerThatDidNotAnswerSaysWhatBecameOfIt)
{
    const Request request{.bindings = {"N=8"}, .asked = Profile{"torch"}};
    for (const auto &[state, outcome] : {std::pair(State::TimedOut, Measurement::State::TimedOut),
                                         std::pair(State::OutOfMemory, Measurement::State::Crashed),
                                         std::pair(State::Crashed, Measurement::State::Crashed),
                                         std::pair(State::Unreadable, Measurement::State::Refused)}) {
        Record record;
        record.state = state;
        record.message = "why";
        const Measurement measurement = measurementOf(record, request, "gpu1");
        EXPECT_EQ(measurement.state, outcome) << name(state);
        EXPECT_EQ(measurement.message, "why");
        EXPECT_EQ(measurement.machine + " " + measurement.backend + " " + measurement.request, "gpu1 torch N=8");
    }
}

TEST(SurveyMeasurement, namesOfStatesAreRead)
{
    using enum Measurement::State;
    for (const auto state : {Measured, Refused, Absent, TimedOut, Crashed, Lost})
        EXPECT_EQ(measurementStateOf(name(state)), state);
    EXPECT_EQ(measurementStateOf("what"), std::nullopt);
}

TEST(SurveyChecks, areRefusedByNameWithThoseThatThereAre)
{
    EXPECT_TRUE(parseCheck("assert:flops<=8G"));
    const auto unknown = parseCheck("taste:good");
    ASSERT_FALSE(unknown);
    EXPECT_TRUE(unknown.error().message.contains("'taste:good'; there are passes:…, convert:…"))
        << unknown.error().message;
    EXPECT_FALSE(parseCheck("lint"));
}

Entry entry(const std::string &path, std::int64_t nodes, State state = State::Read)
{
    Entry made;
    made.path = path;
    made.nodes = nodes;
    made.state = state;
    made.graph = std::to_string(nodes);
    made.operators = {{"onnx", "Relu", "", nodes, 0}};
    return made;
}

/// The first two cells of a section's rows.
std::string rows(const Comparison &comparison, const std::string &id)
{
    std::string text;
    for (const report::Section &section : comparison.document.sections)
        for (const auto &row : section.id == id ? section.tables[0].rows : std::vector<std::vector<report::Cell>>())
            text += row[0].text + ": " + row[1].text + "\n";
    return text;
}

TEST(SurveyComparison, hasWhatCameWentAndChangedWorstFirst)
{
    const std::vector<Entry> before{entry("/old/zoo/same.onnx", 1), entry("/old/zoo/grew.onnx", 10),
                                    entry("/old/zoo/doubled.onnx", 10), entry("/old/zoo/gone.onnx", 4),
                                    entry("/old/zoo/broken.onnx", 4)};
    const std::vector<Entry> after{entry("/new/same.onnx", 1), entry("/new/grew.onnx", 11),
                                   entry("/new/doubled.onnx", 20), entry("/new/came.onnx", 5),
                                   entry("/new/broken.onnx", 0, State::Crashed)};
    const Comparison comparison = compare(before, after);
    EXPECT_EQ(comparison.broken, 1u);
    EXPECT_EQ(rows(comparison, "changed"),
              "doubled.onnx: nodes 10 → 20 (+100 %); onnx::Relu 10 → 20\n"
              "grew.onnx: nodes 10 → 11 (+10 %); onnx::Relu 10 → 11\n");
    EXPECT_EQ(rows(comparison, "states"), "broken.onnx: read\n");
    EXPECT_EQ(rows(comparison, "came"), "came.onnx: 5\n");
    EXPECT_EQ(rows(comparison, "went"), "gone.onnx: 4\n");
}

TEST(SurveyReport, countsOperatorsByModels)
{
    const report::Document document = zooReport({entry("/a.onnx", 2), entry("/b.onnx", 3), entry("/c.onnx", 3)});
    const auto operators = std::ranges::find(document.sections, "operators", &report::Section::id);
    ASSERT_NE(operators, document.sections.end());
    EXPECT_EQ(operators->tables[0].rows[0][0].text, "onnx::Relu");
    EXPECT_EQ(operators->tables[0].rows[0][1].text, "3");
    EXPECT_EQ(operators->tables[0].rows[0][2].text, "8");
    const auto equal = std::ranges::find(document.sections, "equal", &report::Section::id);
    ASSERT_NE(equal, document.sections.end());
    EXPECT_EQ(equal->tables[0].rows[0][1].text, "/b.onnx, /c.onnx");
}

TEST(SurveyReport, hasTheMatrixOfProfiles)
{
    Entry a = entry("/zoo/a.onnx", 2), b = entry("/zoo/b.onnx", 3);
    const auto timed = [](const std::string &machine, const std::string &backend, double seconds) {
        return Measurement{.machine = machine,
                           .backend = backend,
                           .state = Measurement::State::Measured,
                           .seconds = seconds,
                           .predicted = 0.001};
    };
    a.measurements = {timed("m1", "ort", 0.002), timed("m2", "ort", 0.004)};
    b.measurements = {timed("m1", "ort", 0.01)};
    b.measurements.push_back(
        {.machine = "m1", .backend = "torch", .state = Measurement::State::Refused, .message = "no"});
    const report::Document document = zooReport({a, b, entry("/zoo/c.onnx", 1)});
    const auto section = std::ranges::find(document.sections, "profiles", &report::Section::id);
    ASSERT_NE(section, document.sections.end());
    std::string text;
    for (const report::Column &column : section->tables[0].columns)
        text += column.title + "|";
    for (const auto &row : section->tables[0].rows) {
        text += "\n";
        for (const report::Cell &cell : row)
            text += cell.text + "|";
    }
    EXPECT_EQ(text,
              "Model|ort on m1|ort on m2|torch on m1|\n"
              "a.onnx|2 ms (2×)|4 ms (4×)||\n"
              "b.onnx|10 ms (10×)||refused|");
    EXPECT_EQ(section->plots.size(), 1u);
    ASSERT_EQ(section->tables.size(), 2u);
    EXPECT_EQ(section->tables[1].rows[0][4].text, "no");
    const report::Document without = zooReport({entry("/zoo/c.onnx", 1)});
    EXPECT_FALSE(std::ranges::contains(without.sections, "profiles", &report::Section::id));
}

/// Without the operators that are everywhere: what is left is what somebody has to write.
TEST(SurveyReport, namesOperatorsByWhatLacksThem)
{
    Entry a = entry("/a.pt2", 2), b = entry("/b.pt2", 3);
    a.operators = {{"onnx", "Relu", "", 1, {}},   {"onnx", "Gelu", "", 1, {}},     {"onnx", "Upsample", "", 1, {}},
                   {"onnx", "Scan_x", "", 1, {}}, {"mine", "own", "", 1, {}},      {"aten", "mm", "", 1, {}},
                   {"mine", "trick", "", 1, {}},  {"aten", "add", "Tensor", 1, {}}};
    a.functions = {{"main", 7}, {"mine::own", 1}};
    a.checks = {{"backend:onnxruntime", false, "aten::add.Tensor, mine::trick"}, {"backend:torch", {}, "aten::mm"}};
    b.operators = {{"mine", "trick", "", 1, {}}};
    b.checks = {{"convert:21", false, "no rule"}};
    const report::Document document = zooReport({a, b}, {{"/a.pt2", "zoo.models/0001-a.html"}});
    const auto section = [&](const std::string &id) {
        return std::ranges::find(document.sections, id, &report::Section::id)->tables[0];
    };
    std::string lacking;
    for (const auto &row : section("lacking").rows) {
        for (const report::Cell &cell : row)
            lacking += cell.text + "|";
        lacking += "\n";
    }
    EXPECT_EQ(lacking,
              "mine::trick|2|no rule|onnxruntime|no rule||/b.pt2|\n"
              "aten::add|1||onnxruntime|||/a.pt2|\n"
              "onnx::Gelu|1||||below 20|/a.pt2|\n"
              "onnx::Scan_x|1|no rule|||all|/a.pt2|\n"
              "onnx::Upsample|1||||from 10|/a.pt2|\n");
    EXPECT_EQ(section("checks").rows.size(), 3u);
    EXPECT_EQ(section("models").rows[0][0].link, "zoo.models/0001-a.html");
}

} // namespace
} // namespace cutaway::survey
