// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/inquiry.h"

#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"

#include <gtest/gtest.h>

namespace cutaway::survey {
namespace {

using query::Match;
using query::Property;

Entry detector()
{
    Entry model;
    model.path = "/zoo/Detector.onnx";
    model.state = State::Read;
    model.format = "onnx";
    model.producer = "pytorch";
    model.producerVersion = "2.6";
    model.bytes = 5000;
    model.nodes = 40;
    model.parameters = 2'000'000;
    model.weightBytes = 8'000'000;
    model.opsets = {{"ai.onnx", 17}, {"com.example", 1}};
    model.functions = {{"main", 40}};
    model.operators = {{"onnx", "Conv", "", 30, {}}, {"aten", "add", "Tensor", 10, 5}};
    model.modules = {{"", "nets.Detector", 2}, {"neck.0", "torch.nn.Conv2d", 2}};
    model.findings = {{"warning", "shapes.unknown", "why", 1}};
    model.costs.flops = {{}, "4*N", 1000};
    model.costs.otherFlops = {7, "", 7};
    return model;
}

ModelAnswer answerOf(std::string_view text, const Entry &model, const std::vector<NodesFound> *nodes = nullptr)
{
    const auto query = query::parse(text, query::Subject::Model);
    EXPECT_TRUE(query) << text;
    return answerTo(*query, model, nodes);
}

TEST(ModelQuery, isAnsweredByTheDatabaseWhereThatCanBe)
{
    for (const char *text : {"detector",
                             "path:detector.onnx",
                             "path:*/zoo/*",
                             "format:onnx",
                             "producer:pytorch",
                             "producer:\"pytorch 2.6\"",
                             "state:read",
                             "op:conv",
                             "op:onnx::Conv",
                             "op:aten::add.Tensor",
                             "op:add",
                             "opset>=17",
                             "params>1M",
                             "weights>7MB",
                             "bytes<1MiB",
                             "nodes=40",
                             "flops>=1K",
                             "other_flops=7",
                             "class:Conv2d",
                             "scope:neck.0",
                             "class:nets.detector",
                             "function:main",
                             "diag:shapes.*",
                             "not op:Loop",
                             "has(op:Conv or op:Loop)",
                             "has(not op:Conv)",
                             "op:Conv params>1M not opset<17"})
        EXPECT_EQ(answerOf(text, detector()).match, Match::Yes) << text;
    for (const char *text : {"bert", "path:zoo", "format:pt2", "op:Con", "op:Loop", "opset<17", "opset>17", "params>1G",
                             "class:Conv", "function:forward", "diag:size.*", "flops<1K", "op:Conv and op:Loop",
                             "has(op:Loop and flops>1G)", "has(op:Conv op:add)"})
        EXPECT_EQ(answerOf(text, detector()).match, Match::No) << text;
}

TEST(ModelQuery, saysWhatIsNotKnownOrTheFilesToTell)
{
    const ModelAnswer flops = answerOf("flops>1G", detector());
    EXPECT_EQ(flops.match, Match::Unknown);
    EXPECT_FALSE(flops.needsFile);
    EXPECT_EQ(flops.notKnown, std::vector{Property::Flops});
    EXPECT_EQ(answerOf("not flops>1G", detector()).match, Match::Unknown);
    EXPECT_EQ(answerOf("time>1ms", detector()).notKnown, std::vector{Property::Time});
    for (const char *text : {"dtype:float64", "has(op:Conv and flops>1G)", "in:x", "category:matrix*", "has(diag:*)"}) {
        const ModelAnswer answer = answerOf(text, detector());
        EXPECT_EQ(answer.match, Match::Unknown) << text;
        EXPECT_TRUE(answer.needsFile) << text;
    }
    EXPECT_FALSE(answerOf("dtype:float64 and params>1G", detector()).needsFile) << "it is decided without";
}

TEST(ModelQuery, operatorsOfCalledFunctionsAreKnown)
{
    Entry model = detector();
    model.functions.push_back({"inner", 3});
    model.calledOperators = {{"onnx", "Loop", "", 1, {}, 1}};
    EXPECT_EQ(answerOf("op:Conv", model).match, Match::Yes);
    EXPECT_EQ(answerOf("op:Loop", model).match, Match::Yes);
    EXPECT_EQ(answerOf("op:Scan", model).match, Match::No);
    EXPECT_TRUE(answerOf("has(op:Loop and dtype:float64)", model).needsFile);
}

TEST(ModelQuery, ofAnEarlierProgramsSurveyTheFileTellsWhatIsMissing)
{
    Entry model = detector();
    model.functions.push_back({"inner", 3});
    model.isComplete = false;
    EXPECT_EQ(answerOf("op:Conv", model).match, Match::Yes);
    EXPECT_TRUE(answerOf("op:Loop", model).needsFile);
}

TEST(ModelQuery, takesWhatWasFoundInTheFile)
{
    const std::vector<NodesFound> some{{3, {}}}, none{{0, {}}}, unknown{{0, {"dtype"}}};
    EXPECT_EQ(answerOf("dtype:float64", detector(), &some).match, Match::Yes);
    EXPECT_EQ(answerOf("dtype:float64", detector(), &none).match, Match::No);
    const ModelAnswer answer = answerOf("dtype:float64", detector(), &unknown);
    EXPECT_EQ(answer.match, Match::Unknown);
    EXPECT_EQ(answer.notKnown, std::vector{Property::DType});
    const std::vector<NodesFound> both{{1, {}}, {0, {}}};
    EXPECT_EQ(answerOf("op:Conv and not dtype:float64", detector(), &both).match, Match::Yes);
}

TEST(ModelQuery, ofWhatWasNotReadOnlyTheFileIsKnown)
{
    Entry broken;
    broken.path = "/zoo/broken.onnx";
    broken.bytes = 5;
    broken.state = State::TimedOut;
    for (const char *text : {"broken", "state:\"timed out\"", "bytes<1K", "op:Loop or bytes=5"})
        EXPECT_EQ(answerOf(text, broken).match, Match::Yes) << text;
    for (const char *text : {"op:Loop", "not op:Loop", "params>1", "not opset<13", "class:*", "dtype:float64"}) {
        EXPECT_EQ(answerOf(text, broken).match, Match::Unknown) << text;
        EXPECT_FALSE(answerOf(text, broken).needsFile) << text;
    }
}

TEST(ModelQuery, everyPropertyOfModelsIsAsked)
{
    for (const query::PropertyRow &row : query::properties(query::Subject::Model)) {
        const bool isFigure = row.form == query::PropertyRow::Form::Figure;
        const std::string text(row.name);
        // A pattern that matches every model, even without a value, is a yes for this property alone.
        const std::string query = isFigure ? text + ">=0 or " + text + "<0" : text + ":*";
        EXPECT_NE(answerOf(query, detector()).match, Match::No) << query;
        EXPECT_TRUE(row.unknown.empty() || notKnownText(row.property, 2).ends_with(row.unknown)) << text;
    }
}

TEST(ModelQuery, ofARequestThatNoModelHasIsRefusedByName)
{
    const TemporaryFolder folder = TemporaryFolder::make().value();
    Database database = Database::open(folder.path() / "zoo.db", "1").value();
    ASSERT_TRUE(database.put({"/zoo/a.onnx", 1, 1}, {.bindings = {"N=8"}}, detector()));
    const auto asked = [&](const std::string &text, const Request &request) {
        return ask(database, {text, query::parse(text, query::Subject::Model).value(), request}, {}, {});
    };
    const auto refused = asked("flops>1", {.bindings = {"N=9"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the survey has no costs for 'N=9'; it has those for 'N=8'");
    EXPECT_EQ(asked("flops>1", {.bindings = {"N=8"}})->found.size(), 1u);
    EXPECT_EQ(asked("params>1", {.bindings = {"N=9"}})->found.size(), 1u) << "no costs are asked for";
    const auto changed = asked("dtype:float64", {});
    ASSERT_TRUE(changed);
    ASSERT_EQ(changed->notAsked.size(), 1u);
    EXPECT_EQ(changed->notAsked[0].why, "its file has changed since the survey, or is gone");
}

} // namespace
} // namespace cutaway::survey
